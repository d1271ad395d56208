import { existsSync } from 'node:fs';
import path from 'node:path';

/** Absolute path of the first of these programs that is on the PATH. */
export function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .flatMap((file) => endings.map((ending) => file + ending))
    .find(existsSync);
}
