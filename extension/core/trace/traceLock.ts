import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { isRegularFile } from './regularFile';

const lockOf = (tracePath: string) => `${tracePath}.lock`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user can not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Marks a trace as being written by this process, for windows that share its folder. At once, so
 * that the trace is never there without its mark.
 *
 * @returns removes the mark; does nothing where another process's mark stood already.
 * @throws when the folder can not be written.
 */
export function lockTrace(tracePath: string): () => Promise<void> {
  const path = lockOf(tracePath);
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return async () => {};
    throw error;
  }
  try {
    writeSync(file, String(process.pid));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return () => rm(path, { force: true });
}

/** Whether another process that is alive writes a trace; a mark that a crash left is taken away. */
export async function isWrittenElsewhere(tracePath: string): Promise<boolean> {
  const path = lockOf(tracePath);
  if (!(await isRegularFile(path))) return false;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  // A mark without its number is being made this moment.
  if (text === '') return true;
  const pid = Number(text);
  if (Number.isSafeInteger(pid) && pid > 0 && pid !== process.pid && isAlive(pid)) return true;
  await rm(path, { force: true }).catch(() => undefined);
  return false;
}
