import { readFileSync } from 'node:fs';

/**
 * Whether a child process is multiprocessing's own bookkeeper, which has no code of the user's.
 * Only Linux tells without starting a process; elsewhere it is debugged like any other.
 */
export function isHelperProcess(pid: unknown): boolean {
  if (process.platform !== 'linux' || typeof pid !== 'number') return false;
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return /multiprocessing\.(resource|semaphore)_tracker import main/.test(command);
  } catch {
    // Gone, or on another machine.
    return false;
  }
}
