/** What users report of today's debuggers, each as a program that does it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { connectTarget } from '../../extension/debug/interposer/startTarget';
import { begin, lineOf, openSession, PROGRAMS } from './session';
import { AGENT, pausedIn, STARTING_MS } from './tensorSession';

const PROGRAM = path.join(PROGRAMS, 'pains.py');
const SOURCE = readFileSync(PROGRAM, 'utf8');
const tensors = { agentDir: AGENT, maxElements: 4096, language: 'en' };

/** A session in which the program does one thing, with a breakpoint at a marker. */
async function doing(what: string, marker: string) {
  const session = await openSession({ tensors });
  const breakpoints = { file: PROGRAM, breakpoints: [{ line: lineOf(SOURCE, marker) }] };
  await begin(session, 'launch', { program: PROGRAM, args: [what] }, { breakpoints });
  return session;
}

async function workerSession(configuration: object): Promise<void> {
  const upstream = connectTarget({ ...configuration, request: 'attach' });
  if (!upstream) throw new Error('The worker names no place to connect to.');
  const session = await openSession({ upstream });
  await begin(session, 'attach', { ...configuration });
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

test(
  'pains 14: a data loader’s workers run to their end, each in a session of its own',
  async () => {
    const session = await doing('workers', '# with workers');
    const workers: Promise<unknown>[] = [];
    session.onReverse = (request) => {
      const { configuration = {} } = (request.arguments ?? {}) as { configuration?: object };
      workers.push(workerSession(configuration));
      return {};
    };
    const { threadId, evaluate } = await pause(session, 1);
    expect((await evaluate('batch')).result).toMatch(/^float32\[4, 4\] cpu/);
    await session.setBreakpointsRequest({ source: { path: PROGRAM }, breakpoints: [] });
    await session.continueRequest({ threadId });
    expect(await session.event('exited', () => true, STARTING_MS)).toMatchObject({ exitCode: 0 });
    expect(session.output('stdout')).toContain('trained 12');
    // Two in each of two epochs.
    expect(workers).toHaveLength(4);
  },
  STARTING_MS,
);
