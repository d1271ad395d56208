import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The process table from /proc, which a small Linux has even where it has no `ps`. */
function fromProc(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name in brackets may itself hold spaces and brackets.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') continue;
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      entries.push({ pid: Number(name), parent: Number(parent), command });
    } catch {
      // It has ended meanwhile.
    }
  }
  return entries;
}

function fromPowerShell(): ProcessEntry[] {
  const query =
    'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,CommandLine | ConvertTo-Json -Compress';
  const text = execFileSync('powershell', ['-NoProfile', '-Command', query], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    windowsHide: true,
  });
  const rows = JSON.parse(text) as {
    ProcessId: number;
    ParentProcessId: number;
    CommandLine: string | null;
  }[];
  return rows.map((row) => ({
    pid: row.ProcessId,
    parent: row.ParentProcessId,
    command: row.CommandLine ?? '',
  }));
}

function fromPs(): ProcessEntry[] {
  const text = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,command='], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), command: command ?? '' }];
  });
}

/** All processes now, without those that have ended and wait for their parent. */
export function processTable(): readonly ProcessEntry[] {
  if (process.platform === 'linux') return fromProc();
  return process.platform === 'win32' ? fromPowerShell() : fromPs();
}

/** Process ids of all children of `pid`, theirs, and so on; parents before children. */
export function descendants(pid: number, table = processTable()): readonly number[] {
  const found = [pid];
  for (const parent of found) {
    found.push(...table.filter((entry) => entry.parent === parent).map((entry) => entry.pid));
  }
  return found.slice(1);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Ends a process with all its descendants at once. */
export function killTree(pid: number): void {
  if (process.platform === 'win32') {
    try {
      execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    } catch {
      // It has ended already.
    }
    return;
  }
  for (const one of [pid, ...descendants(pid)]) kill(one);
}
