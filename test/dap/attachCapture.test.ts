/** Capture in a process that runs already, with the agent itself. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CaptureHub } from '../../extension/core/captureHub';
import { DEFAULT_CAPTURE, TOKEN_VARIABLE } from '../../extension/protocol/environment';
import { listening } from './programs';
import { begin, delay, openSession, PROGRAMS, type Session } from './session';

const AGENT = path.resolve(import.meta.dirname, '../../extension/agents/python');
// Importing PyTorch and tracing it takes long on a busy machine.
const LONG_MS = 120_000;
const TRAINS = path.join(PROGRAMS, 'trains.py');

async function startHub(): Promise<CaptureHub> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ns-'));
  const hub = await CaptureHub.start({
    socketRoot: folder,
    traceDir: null,
    capture: DEFAULT_CAPTURE,
  });
  onTestFinished(async () => {
    await hub.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  return hub;
}

const noticesOf = (session: Session) =>
  session.events
    .filter(({ event }) => event === 'testNotice')
    .map(({ body }) => (body as { sentence: string }).sentence);

describe('attach to a process that trains', () => {
  test(
    'captures its norm layer from the next step on, without a word',
    async () => {
      const hub = await startHub();
      const capture = hub.openSession({ sessionType: 'normscope', program: 'trains.py' });
      const { upstream, port } = await listening(TRAINS);
      const session = await openSession({
        upstream,
        capture: { agentDir: AGENT, environment: capture.environment },
      });
      await begin(session, 'attach', { connect: { host: '127.0.0.1', port } });
      const [run] = capture.runs;
      for (let waited = 0; (hub.store.runs()[0]?.framesReceived ?? 0) < 4; waited += 50) {
        if (waited > 30_000) throw new Error(`No steps came; ${session.output()}`);
        await delay(50);
      }
      expect(hub.store.runs()[0]).toMatchObject({ id: run, framework: 'torch', layers: 1 });
      expect(run && hub.store.layers(run)[0]).toMatchObject({
        name: '1',
        className: 'BatchNorm1d',
        features: 6,
      });
      expect(noticesOf(session)).toEqual([]);
      await session.ask('disconnect', { terminateDebuggee: false });
      capture.end();
      await capture.finished;
    },
    LONG_MS,
  );

  test(
    'says so when the agent does not start, and debugging goes on',
    async () => {
      const { program, upstream, port } = await listening(TRAINS);
      const environment = { [TOKEN_VARIABLE]: 'not a token' };
      const session = await openSession({ upstream, capture: { agentDir: AGENT, environment } });
      await begin(session, 'attach', { connect: { host: '127.0.0.1', port } });
      const { sentence } = await session.event('testNotice');
      expect(sentence).toBe(
        'Norm capture could not be started in the attached process (NormScope was given a malformed token and did not start): debugging goes on without it; launch the program instead to capture.',
      );
      const steps = program.output().match(/step/g)?.length ?? 0;
      await program.says(new RegExp(`step ${steps + 5}\\b`));
      await session.pauseRequest({ threadId: 1 });
      await session.nextStop();
      await session.ask('disconnect', { terminateDebuggee: false });
    },
    LONG_MS,
  );
});
