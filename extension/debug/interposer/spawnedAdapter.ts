import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Message } from './messages';
import { readMessages } from './readMessages';
import { commandName, type UpstreamEnd } from './sentences';
import type { Upstream, UpstreamEvents, UpstreamTarget } from './upstream';

type SpawnTarget = Extract<UpstreamTarget, { kind: 'spawn' }>;

/** How long an adapter may take to end its debuggee once its input is closed. */
const GRACE_MS = 3_000;
const KEPT_STDERR = 4_096;

// Run this way, not by -m, because -m puts the working folder on sys.path, and a user's json.py
// or random.py there would break the adapter.
const RUN_ADAPTER = [
  'import runpy, sys',
  'sys.path[:] = [entry for entry in sys.path if entry]',
  'runpy.run_module("debugpy.adapter", run_name="__main__", alter_sys=True)',
].join('; ');

/** The last error that a Python program tells of, or else the last line. */
function reasonIn(stderr: string): string | undefined {
  const lines = stderr.trim().split('\n');
  const line = lines.findLast((one) => /^\s*[A-Za-z_][\w.]*: \S/.test(one)) ?? lines.at(-1);
  return line?.trim();
}

/** debugpy's adapter in a process of its own, spoken to over its standard streams. */
class SpawnedAdapter implements Upstream {
  private stderr = '';
  private over = false;

  constructor(
    private readonly process: ChildProcessWithoutNullStreams,
    private readonly name: string,
    private readonly events: UpstreamEvents,
  ) {
    readMessages(process.stdout, {
      onMessage: (message) => this.receive(message),
      onMalformed: (detail) => {
        this.end({ kind: 'died', python: name, detail });
        this.dispose();
      },
    });
    process.stderr.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-KEPT_STDERR);
    });
    // A dead adapter's pipe reports itself; the exit tells the same with its cause.
    process.stdin.on('error', () => undefined);
    process.on('error', (error: NodeJS.ErrnoException) =>
      this.end({ kind: 'no-python', python: name, detail: error.code ?? error.message }),
    );
    process.on('close', (code, signal) => this.end(this.exitReason(code, signal)));
  }

  send(bytes: Uint8Array): void {
    if (this.process.stdin.writable) this.process.stdin.write(bytes);
  }

  dispose(): void {
    this.over = true;
    this.process.stdin.end();
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    // Killing it is safe: debugpy's launcher kills the debuggee when the adapter is gone.
    const timer = setTimeout(() => this.process.kill('SIGKILL'), GRACE_MS);
    this.process.once('exit', () => clearTimeout(timer));
  }

  private receive(message: Message): void {
    if (!this.over) this.events.onMessage(message);
  }

  private exitReason(code: number | null, signal: NodeJS.Signals | null): UpstreamEnd {
    if (/No module named '?debugpy/.test(this.stderr)) {
      return { kind: 'no-debugpy', python: this.name };
    }
    const detail = reasonIn(this.stderr) || (signal ?? `exit code ${code ?? 'unknown'}`);
    return { kind: 'died', python: this.name, detail };
  }

  private end(end: UpstreamEnd): void {
    if (this.over) return;
    this.over = true;
    this.events.onEnd(end);
  }
}

/** Starts debugpy's adapter with the interpreter that also runs the program. */
export function spawnAdapter(target: SpawnTarget, events: UpstreamEvents): Upstream {
  const [command = 'python3', ...args] = target.python;
  const name = commandName([command, ...args]);
  // Spawning into a missing folder fails as if the interpreter were missing.
  const cwd = target.cwd !== undefined && existsSync(target.cwd) ? target.cwd : undefined;
  const child = spawn(command, [...args, '-c', RUN_ADAPTER], {
    cwd,
    env: target.env ?? process.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
  });
  return new SpawnedAdapter(child, name, events);
}
