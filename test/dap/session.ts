/** A debug client of the interposer that answers reverse requests as VS Code does. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { inject, onTestFinished } from 'vitest';
import type { InterposerOptions } from '../../extension/debug/interposer/options';
import { isRecord } from '../../extension/debug/interposer/messages';

export const PYTHON =
  process.env.NORMSCOPE_TEST_PYTHON ??
  path.resolve(
    import.meta.dirname,
    '../../.cache/python',
    process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python',
  );

export const PROGRAMS = path.join(import.meta.dirname, 'programs');

export type SessionOptions = Partial<InterposerOptions> & {
  readonly environment?: NodeJS.ProcessEnv;
};

type Reverse = DebugProtocol.Request;

/** Everything one session says is kept, so that a test can ask for what has passed already. */
export class Session extends DebugClient {
  readonly events: DebugProtocol.Event[] = [];
  readonly reverseRequests: Reverse[] = [];
  /** Answers a reverse request; by default `runInTerminal` runs and `startDebugging` is accepted. */
  onReverse: (request: Reverse) => object | Promise<object> = (request) =>
    request.command === 'runInTerminal' ? runInTerminal(request) : {};

  constructor(server: string, options: InterposerOptions, environment: NodeJS.ProcessEnv) {
    const env = { ...environment, NORMSCOPE_TEST_OPTIONS: JSON.stringify(options) };
    super(process.execPath, server, 'normscope', { env });
    this.defaultTimeout = 30_000;
    Object.assign(this, { dispatch: (body: string) => this.receive(body) });
  }

  get serverPid(): number {
    const { _adapterProcess: child } = this as unknown as { _adapterProcess?: { pid?: number } };
    return child?.pid ?? 0;
  }

  /** The first event that fits, past or to come. */
  async event(
    name: string,
    fits: (body: Record<string, unknown>) => boolean = () => true,
    timeoutMs = 30_000,
  ): Promise<Record<string, unknown>> {
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      const found = this.events.find(
        (event) => event.event === name && fits(isRecord(event.body) ? event.body : {}),
      );
      if (found) return isRecord(found.body) ? found.body : {};
      await delay(20);
    }
    const seen = this.events.map((event) => event.event).join(', ');
    throw new Error(`No "${name}" event within ${timeoutMs} ms; seen: ${seen}; ${this.output()}`);
  }

  /** The next stop after those that were asked for already. */
  async nextStop(): Promise<DebugProtocol.StoppedEvent['body']> {
    const index = this.stopsTaken++;
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      const stop = this.events.filter((event) => event.event === 'stopped')[index];
      if (stop) return stop.body as DebugProtocol.StoppedEvent['body'];
      await delay(10);
    }
    throw new Error(`The program did not stop; output: ${this.output()}`);
  }

  output(category?: string): string {
    return this.events
      .filter((event) => event.event === 'output')
      .map((event) => event.body as { category?: string; output: string })
      .filter((body) => (category ? body.category === category : body.category !== 'telemetry'))
      .map((body) => body.output)
      .join('');
  }

  /** Sends a request and gives its response, also one that tells of a failure. */
  ask(command: string, args: object = {}): Promise<DebugProtocol.Response> {
    const { doSend } = this as unknown as {
      doSend: (c: string, a: object, done: (r: DebugProtocol.Response) => void) => void;
    };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`No answer to "${command}"; ${this.output()}`)),
        30_000,
      );
      doSend.call(this, command, args, (response) => {
        clearTimeout(timer);
        resolve(response);
      });
    });
  }

  /** Some tests kill the server; what is written to it afterwards is lost, as intended. */
  ignoreBrokenPipe(): void {
    const { outputStream } = this as unknown as { outputStream: NodeJS.WritableStream };
    outputStream.on('error', () => undefined);
  }

  private stopsTaken = 0;

  private receive(body: string): void {
    const message = JSON.parse(body) as DebugProtocol.ProtocolMessage;
    if (message.type === 'request') void this.answer(message as Reverse);
    else {
      if (message.type === 'event') this.events.push(message as DebugProtocol.Event);
      Reflect.get(DebugClient.prototype, 'dispatch').call(this, body);
    }
  }

  private async answer(request: Reverse): Promise<void> {
    this.reverseRequests.push(request);
    const reply = {
      seq: 1_000_000 + request.seq,
      type: 'response',
      request_seq: request.seq,
      command: request.command,
    };
    try {
      this.write({ ...reply, success: true, body: await this.onReverse(request) });
    } catch (error) {
      this.write({ ...reply, success: false, message: String(error) });
    }
  }

  private write(message: object): void {
    const { outputStream } = this as unknown as { outputStream: NodeJS.WritableStream };
    const json = JSON.stringify(message);
    outputStream.write(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
  }
}

export const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function runInTerminal(request: Reverse): object {
  const { args, cwd, env } = request.arguments as DebugProtocol.RunInTerminalRequestArguments;
  const [command = '', ...rest] = args;
  const merged = { ...process.env, ...(env as NodeJS.ProcessEnv) };
  const child = spawn(command, rest, { cwd, env: merged, stdio: 'ignore' });
  child.on('error', () => undefined);
  return { processId: child.pid };
}

/** Starts a session's interposer; it is stopped with the test, or when the caller says so. */
export async function openSession(
  options: SessionOptions = {},
  whenOver: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<Session> {
  const { environment = process.env, ...rest } = options;
  const upstream = { kind: 'spawn', python: [PYTHON] } as const;
  const session = new Session(inject('interposerServer'), { upstream, ...rest }, environment);
  whenOver(() => Promise.race([session.stop(), delay(5_000)]));
  await session.start();
  session.ignoreBrokenPipe();
  return session;
}

export const CLIENT = {
  adapterID: 'normscope',
  clientID: 'vscode',
  linesStartAt1: true,
  columnsStartAt1: true,
  pathFormat: 'path',
  supportsRunInTerminalRequest: true,
  supportsStartDebuggingRequest: true,
  supportsVariableType: true,
  supportsArgsCanBeInterpretedByShell: true,
} as const;

export interface Breakpoints {
  readonly file: string;
  readonly breakpoints: readonly DebugProtocol.SourceBreakpoint[];
}

/** Initialises, launches or attaches and configures as VS Code does. */
export async function begin(
  session: Session,
  request: 'launch' | 'attach',
  args: object,
  options: { readonly breakpoints?: Breakpoints; readonly filters?: string[] } = {},
): Promise<DebugProtocol.Response> {
  await session.initializeRequest({ ...CLIENT });
  const started = session.ask(request, { console: 'internalConsole', request, ...args });
  const noDebug = 'noDebug' in args && args.noDebug === true;
  const first = noDebug ? started : Promise.race([session.event('initialized'), started]);
  const response = await first;
  if (noDebug || (isRecord(response) && response.success === false)) return started;
  if (options.breakpoints) {
    await session.setBreakpointsRequest({
      source: { path: options.breakpoints.file },
      breakpoints: [...options.breakpoints.breakpoints],
    });
  }
  await session.setExceptionBreakpointsRequest({ filters: options.filters ?? [] });
  await session.configurationDoneRequest();
  return started;
}

/** Line number of the line that bears a marker, such as `# here`. */
export function lineOf(text: string, marker: string): number {
  const index = text.split('\n').findIndex((line) => line.includes(marker));
  if (index < 0) throw new Error(`No line has ${marker}.`);
  return index + 1;
}
