import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRecord } from '../../extension/debug/interposer/messages';
import { CLIENT, openSession, PROGRAMS, type Session } from './session';

const AGENT = path.resolve(import.meta.dirname, '../../extension/agents/python');
const PROGRAM = path.join(PROGRAMS, 'breaksNorms.py');
const source = readFileSync(PROGRAM, 'utf8').split('\n');
const lineOf = (mark: string, lines = source) =>
  lines.findIndex((line) => line.includes(`# ${mark}`)) + 1;

interface Filter {
  readonly filterId: string;
  readonly condition?: string;
}

async function launch(
  args: readonly string[],
  filterOptions: readonly Filter[],
  program = PROGRAM,
) {
  const environment = { ...process.env, NORMSCOPE_TEST_AGENT: AGENT };
  const session = await openSession({ environment });
  const { body: capabilities } = await session.initializeRequest({ ...CLIENT });
  void session.ask('launch', { program, args, console: 'internalConsole' });
  await session.event('initialized');
  const set = await session.ask('setExceptionBreakpoints', { filters: [], filterOptions });
  await session.configurationDoneRequest();
  return { session, capabilities, set };
}

async function reasonOf(session: Session) {
  const stop = await session.nextStop();
  const threadId = stop.threadId ?? 0;
  const { body: info } = await session.ask('exceptionInfo', { threadId });
  const { body: stack } = await session.ask('stackTrace', { threadId });
  const [frame] = stack.stackFrames as { line: number; name: string; source?: { path?: string } }[];
  const why: unknown = JSON.parse(String(info.description));
  return { stop, threadId, info, frame, why: isRecord(why) ? why : {} };
}

describe('tensor breakpoints', () => {
  test('are filters with conditions beside those of the debugger', async () => {
    const { capabilities, set, session } = await launch(
      ['none', '0'],
      [
        { filterId: 'uncaught' },
        { filterId: 'tensor.nonfinite', condition: 'layer: encoder' },
        { filterId: 'tensor.drift', condition: 'above: 5e9' },
      ],
    );
    const filters = capabilities?.exceptionBreakpointFilters ?? [];
    expect(filters.map(({ filter }) => filter)).toEqual(
      expect.arrayContaining(['raised', 'uncaught', 'tensor.nonfinite', 'tensor.rule']),
    );
    expect(capabilities?.supportsExceptionFilterOptions).toBe(true);
    const states = set.body.breakpoints as { verified: boolean; message?: string }[];
    expect(states.map(({ verified }) => verified)).toEqual([true, false, true]);
    expect(states[1]?.message).toBe(
      '"layer" is not known here: use layers, after, hits, taps, allow.',
    );
    const notices = session.events.filter(({ event }) => event === 'testNotice');
    expect(notices.map(({ body }) => body)).toEqual([
      {
        sentence:
          'Tensors: NaN or infinite values: "layer" is not known here: use layers, after, hits, taps, allow.',
      },
    ]);
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    expect(session.events.some(({ event }) => event === 'stopped')).toBe(false);
  });

  test('stop behind the norm call whose input is not finite, once for what follows from it', async () => {
    const { session } = await launch(['forward', '4'], [{ filterId: 'tensor.nonfinite' }]);
    const { stop, frame, why, threadId, info } = await reasonOf(session);
    expect(stop).toMatchObject({ reason: 'exception', description: 'nonfinite' });
    expect(info).toMatchObject({ exceptionId: 'nonfinite', breakMode: 'always' });
    expect(frame).toMatchObject({ line: lineOf('BEHIND NORM'), source: { path: PROGRAM } });
    expect(why).toMatchObject({
      name: '1.norm',
      tap: 'pre',
      step: 4,
      found: { nan: 0, positiveInfinity: 1, elements: 48, samples: [3], features: [2] },
    });
    await session.continueRequest({ threadId });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    expect(session.output('stdout')).toContain('over');
  });

  test('stop behind the backward pass in which a gradient is not finite', async () => {
    const { session } = await launch(['backward', '2'], [{ filterId: 'tensor.nonfinite' }]);
    const { frame, why } = await reasonOf(session);
    expect(frame).toMatchObject({ line: lineOf('BEHIND BACKWARD'), source: { path: PROGRAM } });
    // Autograd works backwards: the first norm that sees it is the one before.
    expect(why).toMatchObject({ name: '0.norm', tap: 'gradPost', step: 2 });
    expect(why).not.toMatchObject({ found: { nan: 0 } });
  });

  test('stop at once in the call of a package’s trainer, and go on from there', async () => {
    const program = path.join(PROGRAMS, 'usesTrainer.py');
    const { session } = await launch([], [{ filterId: 'tensor.nonfinite' }], program);
    const { frame, why, threadId } = await reasonOf(session);
    const lines = readFileSync(program, 'utf8').split('\n');
    expect(frame).toMatchObject({ line: lineOf('FIT', lines), source: { path: program } });
    expect(why).toMatchObject({ name: 'norm', tap: 'pre', step: 2 });
    expect(session.output('stdout')).not.toContain('step 2');
    await session.continueRequest({ threadId });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    expect(session.output('stdout')).toContain('over');
  });

  test('stop where a data loader’s workers feed the model', async () => {
    const { session } = await launch(
      ['forward', '4', 'loader'],
      [{ filterId: 'tensor.nonfinite' }],
    );
    const { frame, why, threadId } = await reasonOf(session);
    expect(frame).toMatchObject({ line: lineOf('BEHIND NORM'), source: { path: PROGRAM } });
    expect(why).toMatchObject({ name: '1.norm', tap: 'pre', step: 4 });
    await session.continueRequest({ threadId });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
  });

  test('pains 16: of a compiled model stop at the first norm outside of what was compiled', async () => {
    // The blocks from the second on are compiled, the second makes an infinity.
    const { session } = await launch(
      ['forward', '2', 'compiled'],
      [{ filterId: 'tensor.nonfinite' }],
    );
    const { frame, why, threadId } = await reasonOf(session);
    expect(frame).toMatchObject({ line: lineOf('BEHIND BACKWARD'), source: { path: PROGRAM } });
    expect(why).toMatchObject({ name: '0.norm', tap: 'gradPost', step: 2 });
    await session.continueRequest({ threadId });
    await session.ask('setExceptionBreakpoints', { filters: [], filterOptions: [] });
    await session.ask('disconnect', { terminateDebuggee: true });
  });

  test('stop in a thread that is not the main one', async () => {
    const { session } = await launch(
      ['forward', '1', 'thread'],
      [{ filterId: 'tensor.nonfinite' }],
    );
    const { frame, why } = await reasonOf(session);
    expect(frame).toMatchObject({ line: lineOf('BEHIND NORM') });
    expect(why).toMatchObject({ step: 1 });
  });

  test('stop behind the step in which a figure passes the number of the condition', async () => {
    const condition = 'layers: ?.norm; above: 40%; after: step 5; hits: 2';
    const { session } = await launch(
      ['dead', '3'],
      [{ filterId: 'tensor.dead-feature', condition }],
    );
    const { frame, why, stop } = await reasonOf(session);
    expect(stop).toMatchObject({ reason: 'exception' });
    expect(frame).toMatchObject({ line: lineOf('BEHIND STEP') });
    expect(why).toMatchObject({ why: 'above', name: '1.norm', value: 0.5, limit: 0.4, step: 7 });
  });

  test('stop when any rule speaks', async () => {
    const condition = 'rules: dead-feature';
    const { session } = await launch(['dead', '3'], [{ filterId: 'tensor.rule', condition }]);
    const { why } = await reasonOf(session);
    expect(why).toMatchObject({ why: 'rule', name: '1.norm', alert: { rule: 'dead-feature' } });
  });

  test.each([
    ['names another layer', 'layers: encoder.*'],
    ['allows the values', 'allow: +inf, nan'],
    ['begins later', 'after: step 1000'],
  ])('do not stop where the condition %s', async (_, condition) => {
    const { session } = await launch(
      ['forward', '4'],
      [{ filterId: 'tensor.nonfinite', condition }],
    );
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    expect(session.events.some(({ event }) => event === 'stopped')).toBe(false);
  });

  test('switched off while the program stands do not stop it again', async () => {
    const { session } = await launch(['dead', '3'], [{ filterId: 'tensor.rule' }]);
    const { threadId } = await reasonOf(session);
    await session.ask('setExceptionBreakpoints', { filters: [], filterOptions: [] });
    await session.continueRequest({ threadId });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    expect(session.events.filter(({ event }) => event === 'stopped')).toHaveLength(1);
  });
});
