import { lstat } from 'node:fs/promises';

/** Whether there is a file that can be read without waiting: no pipe, device or link. */
export async function isRegularFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch {
    return false;
  }
}
