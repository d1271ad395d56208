/** What users report of today's debuggers, each as a program that does it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectTarget } from '../../extension/debug/interposer/startTarget';
import {
  begin,
  delay,
  lineOf,
  openSession,
  PROGRAMS,
  type Breakpoints,
  type Session,
} from './session';
import { AGENT, pausedIn, STARTING_MS } from './tensorSession';

const PROGRAM = path.join(PROGRAMS, 'pains.py');
const SOURCE = readFileSync(PROGRAM, 'utf8');
const tensors = { agentDir: AGENT, maxElements: 4096, language: 'en' };

/** A session in which the program does one thing, with a breakpoint at a marker if one is given. */
async function doing(what: string, marker?: string) {
  const session = await openSession({ tensors });
  const lines = marker === undefined ? [] : [{ line: lineOf(SOURCE, marker) }];
  const breakpoints = { file: PROGRAM, breakpoints: lines };
  await begin(session, 'launch', { program: PROGRAM, args: [what] }, { breakpoints });
  return session;
}

async function workerSession(configuration: object, breakpoints: Breakpoints): Promise<Session> {
  const upstream = connectTarget({ ...configuration, request: 'attach' });
  if (!upstream) throw new Error('The worker names no place to connect to.');
  const session = await openSession({ upstream });
  await begin(session, 'attach', { ...configuration }, { breakpoints });
  return session;
}

async function pause(session: Awaited<ReturnType<typeof doing>>, count: number) {
  const stopped = () => session.events.filter(({ event }) => event === 'stopped').length >= count;
  await session.event('stopped', stopped, STARTING_MS);
  const { threadId = 1 } = await session.nextStop();
  const { body } = await session.stackTraceRequest({ threadId });
  return {
    threadId,
    frame: body.stackFrames[0],
    ...pausedIn(session, body.stackFrames[0]?.id ?? -1),
  };
}

test('pains 17: a breakpoint in a backward function is hit', async () => {
  const session = await doing('backward', '# in backward');
  const { frame, evaluate } = await pause(session, 1);
  expect(frame?.name).toContain('backward');
  expect((await evaluate('gradient')).result).toMatch(/^float32\[3, 4\] cpu · μ 1 σ 0/);
});

test('pains 8, 22: a tensor is one line, which follows what the program does to it', async () => {
  const session = await doing('update', '# in loop');
  const texts: string[] = [];
  for (let step = 1; step <= 3; step++) {
    const { threadId, locals } = await pause(session, step);
    texts.push((await locals()).get('x')?.value ?? '');
    await session.continueRequest({ threadId });
  }
  expect(texts).toEqual(
    [1, 2, 3].map((value) =>
      `float32[2, 3] cpu · ${'#, '.repeat(5)}#`.replaceAll('#', String(value)),
    ),
  );
});

test('pains 29: what is opened while the program runs is answered at once', async () => {
  const session = await doing('update', '# in loop');
  const { threadId, frame } = await pause(session, 1);
  const { body } = await session.scopesRequest({ frameId: frame?.id ?? -1 });
  const { variablesReference } = body.scopes[0] ?? { variablesReference: -1 };
  await session.setBreakpointsRequest({ source: { path: PROGRAM }, breakpoints: [] });
  await session.continueRequest({ threadId });
  const late = await session.ask('variables', { variablesReference });
  expect(late.command).toBe('variables');
  expect(await session.event('exited', () => true, STARTING_MS)).toMatchObject({ exitCode: 0 });
});

test('pains 21: what is asked when the program is over is answered all the same', async () => {
  const session = await doing('backward');
  await session.event('exited', () => true, STARTING_MS);
  await session.event('terminated');
  const answer = await session.ask('scopes', { frameId: 2 });
  expect(answer.success).toBe(false);
  expect(answer.message).not.toBe('');
});

/** A session with capture in which the program loads its data in workers. */
async function loading(what: string, markers: readonly string[], filters: string[] = []) {
  const environment = { ...process.env, NORMSCOPE_TEST_AGENT: AGENT };
  const session = await openSession({ environment });
  const workers: Promise<Session>[] = [];
  session.onReverse = ({ arguments: args }) => {
    const { configuration = {} } = (args ?? {}) as { configuration?: object };
    workers.push(workerSession(configuration, breakpoints));
    return {};
  };
  const lines = markers.map((marker) => ({ line: lineOf(SOURCE, marker) }));
  const breakpoints = { file: PROGRAM, breakpoints: lines };
  await begin(session, 'launch', { program: PROGRAM, args: [what] }, { breakpoints, filters });
  return { session, workers };
}

async function trainedOn(session: Session): Promise<void> {
  expect(await session.event('exited', () => true, STARTING_MS)).toMatchObject({ exitCode: 0 });
  expect(session.output('stdout')).toContain('trained 12');
}

describe('pains 14: the workers of a data loader', () => {
  test.each(['fork', 'spawn'])(
    'run by %s, and no session is made of them, if the person has no breakpoint in what they run',
    async (how) => {
      const { session, workers } = await loading(`workers-${how}`, ['# with workers']);
      const { threadId, evaluate } = await pause(session, 1);
      expect((await evaluate('batch')).result).toMatch(/^float32\[4, 4\] cpu/);
      await session.setBreakpointsRequest({ source: { path: PROGRAM }, breakpoints: [] });
      await session.continueRequest({ threadId });
      await trainedOn(session);
      expect(workers).toHaveLength(0);
    },
    STARTING_MS,
  );

  test.each(['# in a worker', '# called by a worker'])(
    'stop at a breakpoint in what they run: %s',
    async (marker) => {
      const { session, workers } = await loading('workers-fork', [marker]);
      for (let i = 0; workers.length === 0 && i < 1_000; i++) await delay(50);
      const worker = await workers[0];
      const { threadId = 0 } = (await worker?.nextStop()) ?? {};
      const stack = await worker?.stackTraceRequest({ threadId });
      expect(stack?.body.stackFrames[0]).toMatchObject({ line: lineOf(SOURCE, marker) });
      await session.ask('disconnect', { terminateDebuggee: true });
    },
    STARTING_MS,
  );

  test(
    'are debugged where the debugger stops at exceptions that are raised',
    async () => {
      const { session, workers } = await loading('workers-fork', [], ['raised']);
      for (let i = 0; workers.length === 0 && i < 1_000; i++) await delay(50);
      await workers[0];
      await session.ask('disconnect', { terminateDebuggee: true });
    },
    STARTING_MS,
  );
});
