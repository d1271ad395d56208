import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import type * as vscodeApi from 'vscode';

/** Folder of the extension that answers. */
export const REMOTE_CONTROL = path.join(import.meta.dirname, 'remoteControl');

export interface DebugEvent {
  readonly event: 'started' | 'terminated' | 'stopped' | 'continued' | 'output' | 'exited';
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly text?: string;
  readonly code?: number;
  readonly body?: { readonly reason: string; readonly threadId?: number };
}

export interface RemoteState extends Record<string, unknown> {
  readonly events: DebugEvent[];
}

/** Calls into the extension host of a VS Code that runs elsewhere. */
export class RemoteHost {
  constructor(
    private readonly file: string,
    private readonly token: string,
  ) {}

  /** Forgets the extension host that answered so far, before a window is reloaded. */
  async forget(): Promise<void> {
    await rm(this.file, { force: true });
  }

  /**
   * Runs a function in the extension host and returns what it returns. The function is sent as its
   * source: it sees its parameters and nothing else, and both ways only JSON goes across.
   */
  async run<Args, Result>(
    code: (vscode: typeof vscodeApi, args: Args, state: RemoteState) => Result,
    args: Args,
    timeoutMs = 60_000,
  ): Promise<Awaited<Result>> {
    const deadline = Date.now() + timeoutMs;
    const port = await this.port(deadline);
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ source: code.toString(), args }),
      signal: AbortSignal.timeout(Math.max(1, deadline - Date.now())),
    });
    const reply = (await response.json()) as { value?: Awaited<Result>; error?: string };
    if (reply.error !== undefined) throw new Error(`In the extension host: ${reply.error}`);
    return reply.value as Awaited<Result>;
  }

  private async port(deadline: number): Promise<number> {
    while (Date.now() < deadline) {
      const text = await readFile(this.file, 'utf8').catch(() => '');
      if (text !== '') return Number(text);
      await sleep(100);
    }
    throw new Error('The extension host did not start in time.');
  }
}
