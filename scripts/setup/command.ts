import { spawn } from 'node:child_process';
import { killTree } from './processTree';
import type { Report } from './report';

export interface CommandOptions {
  readonly cwd?: string;
  /** Replaces the environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Ended with all its children after this time. */
  readonly timeoutMs?: number;
  /** Hears the last line of output now and then while a slow command runs. */
  readonly heartbeat?: Report;
  /** The child writes to our own terminal; then `output` stays empty. */
  readonly inherit?: boolean;
}

export interface CommandResult {
  /** Null when it could not be started or was ended by a signal. */
  readonly code: number | null;
  /** Standard output and error together, the last 64 KiB. */
  readonly output: string;
  readonly timedOut: boolean;
}

const KEPT = 65_536;
const HEARTBEAT_MS = 20_000;

/** Last line of a text that is not blank, cut to 160 characters. */
export const lastLine = (text: string) => text.trim().split(/\r?\n/).at(-1)?.trim().slice(0, 160);

/** Runs a program to its end. Never rejects: a program that cannot be started has code null. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    let output = '';
    let timedOut = false;
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: options.inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && command.endsWith('.cmd'),
      windowsHide: true,
    });
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    let told: string | undefined;
    const beat = setInterval(() => {
      const line = lastLine(output);
      if (line && line !== told) options.heartbeat?.(`  ... ${line}`);
      told = line;
    }, HEARTBEAT_MS);
    const limit = options.timeoutMs ?? 0;
    const timer = setTimeout(
      () => {
        timedOut = true;
        if (child.pid !== undefined) killTree(child.pid);
      },
      limit > 0 ? limit : 2 ** 31 - 1,
    );
    const finish = (code: number | null) => {
      clearInterval(beat);
      clearTimeout(timer);
      resolve({ code, output, timedOut });
    };
    child.on('error', (error) => {
      output += error.message;
      finish(null);
    });
    child.on('close', finish);
  });
}

/** Runs npm by the given Node (this one if none is given). */
export function runNpm(
  args: readonly string[],
  options: CommandOptions & { readonly node?: string },
): Promise<CommandResult> {
  const script = process.env['npm_execpath'];
  if (script !== undefined && /\.c?js$/.test(script)) {
    return runCommand(options.node ?? process.execPath, [script, ...args], options);
  }
  return runCommand(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
}
