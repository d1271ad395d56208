import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { begin, lineOf, openSession, PROGRAMS, type Session } from './session';

const STEPS = path.join(PROGRAMS, 'steps.py');
const line = lineOf(readFileSync(STEPS, 'utf8'), '# in area');

async function stopped(): Promise<{ session: Session; frameId: number }> {
  const session = await openSession();
  const breakpoints = { file: STEPS, breakpoints: [{ line, condition: 'width == 3' }] };
  await begin(session, 'launch', { program: STEPS }, { breakpoints });
  await session.nextStop();
  const { body } = await session.stackTraceRequest({ threadId: 1 });
  return { session, frameId: body.stackFrames[0]?.id ?? -1 };
}

describe('evaluates', () => {
  test('20 at once get each its own answer, without debugpy’s 0.2 s pause between them', async () => {
    const { session, frameId } = await stopped();
    const ask = (index: number) =>
      session.evaluateRequest({ expression: `width * ${index}`, frameId, context: 'watch' });
    await ask(0);
    const start = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index)));
    const elapsed = performance.now() - start;
    expect(answers.map(({ body }) => body.result)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(3 * index)),
    );
    // Sent together they take 3.6 s, one by one with delayed acknowledgements 0.9 s.
    expect(elapsed).toBeLessThan(800);
  });

  test('one that fails does not hold back the next', async () => {
    const { session, frameId } = await stopped();
    const ask = (expression: string) =>
      session.ask('evaluate', { expression, frameId, context: 'watch' });
    const [bad, good] = await Promise.all([ask('1 / 0'), ask('width + 1')]);
    expect(bad.success).toBe(false);
    expect(good).toMatchObject({ success: true, body: { result: '4' } });
  });

  test('what waits is still evaluated when the program is continued right after', async () => {
    const { session, frameId } = await stopped();
    const names = ['height = 100', 'pass', 'width = 7', 'pass'];
    const asked = names.map((expression) =>
      session.ask('evaluate', { expression, frameId, context: 'repl' }),
    );
    const continued = session.ask('continue', { threadId: 1 });
    const answers = await Promise.all(asked);
    expect((await continued).success).toBe(true);
    await session.event('exited');
    expect(answers.map(({ success }) => success)).toEqual([true, true, true, true]);
    // 2·(0 + 1 + 2) + 7·100 + 2·4
    expect(session.output('stdout')).toContain('"total": 714');
  });
});

describe('requests that debugpy leaves unanswered', () => {
  test('each is answered, and the session goes on', async () => {
    const { session, frameId } = await stopped();
    const refused = [
      ['readMemory', { memoryReference: '0', count: 8 }],
      ['writeMemory', { memoryReference: '0', data: '' }],
      ['disassemble', { memoryReference: '0', instructionCount: 1 }],
      ['restartFrame', { frameId }],
      ['stepBack', { threadId: 1 }],
      ['reverseContinue', { threadId: 1 }],
      ['loadedSources', {}],
      ['breakpointLocations', { source: { path: STEPS }, line }],
      ['terminateThreads', { threadIds: [1] }],
      ['restart', {}],
    ] as const;
    for (const [command, args] of refused) {
      const response = await session.ask(command, args);
      expect(response.success, command).toBe(false);
      expect(response.message, command).toContain(command);
    }
    expect((await session.ask('cancel', { requestId: 1 })).success).toBe(true);

    const { body } = await session.evaluateRequest({ expression: 'width', frameId });
    expect(body.result).toBe('3');
  });

  test('pains 15: breakpoints on a value are refused in a sentence, and nothing waits', async () => {
    const { session, frameId } = await stopped();
    const info = await session.ask('dataBreakpointInfo', { name: 'width' });
    expect(info).toMatchObject({ success: true, body: { dataId: null } });
    expect(String(info.body.description)).toContain('dataBreakpointInfo');
    const set = await session.ask('setDataBreakpoints', { breakpoints: [{ dataId: 'x' }] });
    expect(set.body.breakpoints).toMatchObject([
      { verified: false, message: expect.stringContaining('setDataBreakpoints') as string },
    ]);
    const { body } = await session.evaluateRequest({ expression: 'width', frameId });
    expect(body.result).toBe('3');
  });

  test('a request that is too long for debugpy is refused instead of ending the session', async () => {
    const { session, frameId } = await stopped();
    const expression = `len(${JSON.stringify('x'.repeat(17 * 1024 * 1024))})`;
    const response = await session.ask('evaluate', { expression, frameId });
    expect(response).toMatchObject({ success: false });
    expect(response.message).toContain('16 MiB');
    const { body } = await session.evaluateRequest({ expression: 'width', frameId });
    expect(body.result).toBe('3');
  });
});
