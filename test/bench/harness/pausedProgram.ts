import { readFileSync } from 'node:fs';
import path from 'node:path';
import { encodeMessage } from '../../../extension/debug/interposer/framing';
import { Interposer } from '../../../extension/debug/interposer/interposer';
import type { Message } from '../../../extension/debug/interposer/messages';
import { spawnAdapter } from '../../../extension/debug/interposer/spawnedAdapter';
import { inRoot } from '../../../scripts/setup/paths';
import { DapClient, type Adapter } from './dapClient';

const PROGRAM = inRoot('test', 'bench', 'programs', 'editor.py');
/** The Python that the benchmarks use. */
export const PYTHON = inRoot(
  '.cache',
  'python',
  process.platform === 'win32' ? 'Scripts' : 'bin',
  'python',
);
const upstream = { kind: 'spawn', python: [PYTHON] } as const;

/** The extension's debug adapter, as VS Code has it: in this process, with the agent's plug-in. */
export function ourAdapter(): Adapter {
  const tensors = {
    agentDir: inRoot('extension', 'agents', 'python'),
    maxElements: 1 << 20,
    language: 'en',
  };
  const interposer = new Interposer({ upstream, tensors });
  return {
    send: (message) => interposer.handleMessage(message),
    onMessage: (listener) => void interposer.onDidSendMessage(listener),
    dispose: () => interposer.dispose(),
  };
}

/** debugpy's own adapter, with nothing of ours. */
export function plainAdapter(): Adapter {
  const listeners: ((message: Message) => void)[] = [];
  const adapter = spawnAdapter(upstream, {
    onMessage: (message) => listeners.forEach((listener) => listener(message)),
    onEnd: () => undefined,
  });
  return {
    send: (message) => adapter.send(encodeMessage(message)),
    onMessage: (listener) => void listeners.push(listener),
    dispose: () => adapter.dispose(),
  };
}

export interface PausedFrame {
  readonly client: DapClient;
  readonly threadId: number;
  readonly frameId: number;
}

/** Starts the program of the benchmark and pauses it at each line that bears a marker, in turn. */
export async function pausedProgram(
  adapter: Adapter,
  folder: string,
  markers: readonly string[],
): Promise<{ frame(): Promise<PausedFrame>; go(): Promise<void> }> {
  const lines = readFileSync(PROGRAM, 'utf8').split('\n');
  const client = new DapClient(adapter);
  await client.ask('initialize', { adapterID: 'normscope', pathFormat: 'path' });
  const launched = client.ask('launch', {
    program: PROGRAM,
    args: [folder],
    console: 'internalConsole',
    cwd: path.dirname(PROGRAM),
  });
  await client.ready;
  await client.ask('setBreakpoints', {
    source: { path: PROGRAM },
    breakpoints: markers.map((marker) => ({
      line: lines.findIndex((line) => line.endsWith(`# ${marker}`)) + 1,
    })),
  });
  await client.ask('configurationDone');
  await launched;
  let threadId = 1;
  return {
    frame: async () => {
      threadId = Number((await client.nextStop()).threadId);
      const { stackFrames } = await client.ask('stackTrace', { threadId });
      const [top] = stackFrames as readonly { readonly id: number }[];
      return { client, threadId, frameId: top?.id ?? -1 };
    },
    go: async () => void (await client.ask('continue', { threadId })),
  };
}
