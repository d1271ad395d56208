/** Programs that run on their own, for sessions that attach to them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { delay, PYTHON } from './session';

export interface Program {
  readonly child: ChildProcess;
  readonly output: () => string;
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts a Python program; it is killed with the test. */
export function run(...args: string[]): Program {
  const child = spawn(PYTHON, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const says = async (pattern: RegExp) => {
    for (let waited = 0; waited < 30_000; waited += 20) {
      const match = pattern.exec(output);
      if (match) return match;
      await delay(20);
    }
    throw new Error(`The program did not say ${pattern}: ${output}`);
  };
  return { child, output: () => output, says };
}

/** Starts a program that prints the port at which it waits for a debugger. */
export async function listening(file: string, ...args: string[]) {
  const program = run(file, ...args);
  const port = Number((await program.says(/port (\d+)/))[1]);
  return { program, upstream: { kind: 'connect', host: '127.0.0.1', port } as const, port };
}
