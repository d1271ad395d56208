/** Looks at the operating system's own list of processes. */
import { execFileSync } from 'node:child_process';
import { delay } from './session';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

/** Processes that run; one that has ended and was not waited for yet does not count. */
export function processes(): readonly ProcessEntry[] {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  return table
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .flatMap((match) => {
      const [, pid, parent, state = '', command = ''] = match ?? [];
      return match ? [{ pid: Number(pid), parent: Number(parent), state, command }] : [];
    })
    .filter((entry) => !entry.state.startsWith('Z'));
}

export function descendants(pid: number): readonly ProcessEntry[] {
  const all = processes();
  const found: ProcessEntry[] = [];
  const parents = new Set([pid]);
  for (let grew = true; grew;) {
    grew = false;
    for (const entry of all) {
      if (!parents.has(entry.parent) || parents.has(entry.pid)) continue;
      parents.add(entry.pid);
      found.push(entry);
      grew = true;
    }
  }
  return found;
}

/** Waits until none of the processes runs; gives those that still do. */
export async function survivors(
  expected: readonly ProcessEntry[],
  timeoutMs = 15_000,
): Promise<readonly ProcessEntry[]> {
  const deadline = Date.now() + timeoutMs;
  const running = () => {
    const pids = new Map(processes().map((entry) => [entry.pid, entry.command]));
    return expected.filter((entry) => pids.get(entry.pid) === entry.command);
  };
  while (Date.now() < deadline && running().length > 0) await delay(100);
  return running();
}
