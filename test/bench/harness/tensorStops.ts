import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CaptureHub } from '../../../extension/core/captureHub';
import { parseCondition } from '../../../extension/core/breakpoints/condition';
import { Interposer } from '../../../extension/debug/interposer/interposer';
import { DEFAULT_CAPTURE } from '../../../extension/protocol/environment';
import { inRoot } from '../../../scripts/setup/paths';
import { DapClient } from './dapClient';
import { PYTHON } from './pausedProgram';

const PROGRAM = inRoot('test', 'bench', 'programs', 'spoiled.py');

/**
 * Milliseconds from the operation that makes a NaN to the debugger's word that the program stands,
 * for each of `rounds`.
 */
export async function tensorStopTimes(folder: string, rounds: number): Promise<number[]> {
  const hub = await CaptureHub.start({ traceDir: null, capture: DEFAULT_CAPTURE });
  const session = hub.openSession({ sessionType: 'bench', program: PROGRAM });
  const { condition } = parseCondition('nonfinite', '');
  if (condition) session.setTensorBreakpoints([{ filter: 'nonfinite', condition }]);
  const interposer = new Interposer({
    upstream: { kind: 'spawn', python: [PYTHON] },
    capture: {
      agentDir: inRoot('extension', 'agents', 'python'),
      environment: session.environment,
    },
    tensorBreakpoints: {
      set: () => undefined,
      takeStop: (pid) => {
        const stop = session.takeTensorStop(pid);
        return stop && { title: stop.filter, sentence: stop.name, details: '' };
      },
    },
  });
  try {
    const client = new DapClient({
      send: (message) => interposer.handleMessage(message),
      onMessage: (listener) => void interposer.onDidSendMessage(listener),
      dispose: () => interposer.dispose(),
    });
    const notes = path.join(folder, 'notes');
    await client.ask('initialize', { adapterID: 'normscope', pathFormat: 'path' });
    const args = [notes, String(rounds)];
    const launched = client.ask('launch', {
      program: PROGRAM,
      args,
      console: 'internalConsole',
      cwd: path.dirname(PROGRAM),
    });
    await client.ready;
    await client.ask('configurationDone');
    await launched;
    const stopped: number[] = [];
    while (stopped.length < rounds) {
      const { threadId, reason } = await client.nextStop();
      stopped.push(Date.now());
      if (reason !== 'exception') throw new Error('The program stopped for another reason.');
      await client.ask('continue', { threadId });
    }
    const began = (await readFile(notes, 'utf8')).trim().split('\n').map(Number);
    return stopped.map((time, at) => time - (began[at] ?? Number.NaN));
  } finally {
    interposer.dispose();
    await hub.dispose();
  }
}
