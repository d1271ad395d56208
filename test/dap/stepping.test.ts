import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { begin, lineOf, openSession, PROGRAMS, type Session } from './session';

const STEPS = path.join(PROGRAMS, 'steps.py');
const RAISES = path.join(PROGRAMS, 'raises.py');
const source = readFileSync(STEPS, 'utf8');

async function topFrame(session: Session, threadId = 1) {
  const { body } = await session.stackTraceRequest({ threadId, startFrame: 0, levels: 20 });
  const [frame] = body.stackFrames;
  if (!frame) throw new Error('There is no frame.');
  return { ...frame, frames: body.stackFrames };
}

async function locals(session: Session, frameId: number) {
  const { body } = await session.scopesRequest({ frameId });
  const scope = body.scopes.find((candidate) => candidate.name === 'Locals');
  const variablesReference = scope?.variablesReference ?? 0;
  const { body: list } = await session.variablesRequest({ variablesReference });
  const values = Object.fromEntries(list.variables.map(({ name, value }) => [name, value]));
  return { variablesReference, values };
}

const at = (marker: string, extra: object = {}) => ({
  breakpoints: { file: STEPS, breakpoints: [{ line: lineOf(source, marker), ...extra }] },
});

describe('stops and steps', () => {
  test('stopOnEntry stops at the first line', async () => {
    const session = await openSession();
    await begin(session, 'launch', { program: STEPS, stopOnEntry: true });
    expect((await session.nextStop()).reason).toBe('entry');
    expect(await topFrame(session)).toMatchObject({ line: 1 });
  });

  test('a condition stops once, with variables that can be read, changed and evaluated', async () => {
    const session = await openSession();
    const condition = { condition: 'width == 3' };
    await begin(session, 'launch', { program: STEPS }, at('# in area', condition));
    expect((await session.nextStop()).reason).toBe('breakpoint');
    const frame = await topFrame(session);
    expect(frame).toMatchObject({ name: 'area', line: lineOf(source, '# in area') });
    expect(frame.frames.map(({ name }) => name)).toEqual(['area', 'main', '<module>']);

    const { values, variablesReference } = await locals(session, frame.id);
    expect(values).toMatchObject({ width: '3', height: '2' });
    await session.setVariableRequest({ variablesReference, name: 'height', value: '10' });
    const evaluate = (expression: string, context: string) =>
      session.evaluateRequest({ expression, frameId: frame.id, context });
    expect((await evaluate('width * height', 'hover')).body.result).toBe('30');
    expect((await evaluate('[width] * 3', 'watch')).body.result).toBe('[3, 3, 3]');
    await evaluate('width = 4', 'repl');

    await session.continueRequest({ threadId: 1 });
    await session.event('exited');
    // 2·(0 + 1 + 2) + 4·10 + 2·4
    expect(session.output('stdout')).toContain('"total": 54');
  });

  test('step in, over and out arrive where the source says', async () => {
    const session = await openSession();
    await begin(session, 'launch', { program: STEPS }, at('# loop'));
    await session.nextStop();
    await session.setBreakpointsRequest({ source: { path: STEPS }, breakpoints: [] });
    await session.stepInRequest({ threadId: 1 });
    await session.nextStop();
    expect(await topFrame(session)).toMatchObject({ name: 'area' });
    await session.nextRequest({ threadId: 1 });
    await session.nextStop();
    expect(await topFrame(session)).toMatchObject({ line: lineOf(source, 'return result') });
    await session.stepOutRequest({ threadId: 1 });
    await session.nextStop();
    expect(await topFrame(session)).toMatchObject({ name: 'main' });
  });

  test('pause stops a program that runs', async () => {
    const session = await openSession();
    await begin(session, 'launch', { program: path.join(PROGRAMS, 'forever.py') });
    await session.event('output', (body) => String(body.output).startsWith('pid'));
    await session.pauseRequest({ threadId: 1 });
    expect((await session.nextStop()).reason).toBe('pause');
  });

  test('justMyCode refuses a breakpoint in the standard library, without it one stops', async () => {
    const code = ['import json', 'text = json.dumps({"a": 1})'];
    const jsonModule = await libraryFile();
    const breakpoints = { file: jsonModule.file, breakpoints: [{ line: jsonModule.line }] };
    const strict = await openSession();
    await begin(strict, 'launch', { code, justMyCode: true }, { breakpoints });
    await strict.event('exited');
    expect(strict.events.some(({ event }) => event === 'stopped')).toBe(false);

    const open = await openSession();
    await begin(open, 'launch', { code, justMyCode: false }, { breakpoints });
    await open.nextStop();
    expect(await topFrame(open)).toMatchObject({ name: 'dumps' });
  });

  test('exception breakpoints stop where it is raised, with its text', async () => {
    const session = await openSession();
    const filters = ['raised', 'uncaught'];
    await begin(session, 'launch', { program: RAISES }, { filters });
    const text = readFileSync(RAISES, 'utf8');
    expect((await session.nextStop()).reason).toBe('exception');
    expect(await topFrame(session)).toMatchObject({ line: lineOf(text, '# caught here') });
    const { body } = await session.exceptionInfoRequest({ threadId: 1 });
    expect(body).toMatchObject({ exceptionId: 'ValueError', description: 'caught' });
  });

  test('an exception that nothing catches stops before the program ends', async () => {
    const session = await openSession();
    await begin(session, 'launch', { program: RAISES }, { filters: ['uncaught'] });
    await session.nextStop();
    const { body } = await session.exceptionInfoRequest({ threadId: 1 });
    expect(body).toMatchObject({ exceptionId: 'RuntimeError', description: 'not caught' });
    await session.continueRequest({ threadId: 1 });
    expect(await session.event('exited')).toMatchObject({ exitCode: 1 });
  });
});

async function libraryFile(): Promise<{ file: string; line: number }> {
  const session = await openSession();
  await begin(session, 'launch', {
    code: ['import json', 'print("module", json.__file__, json.dumps.__code__.co_firstlineno)'],
  });
  await session.event('exited');
  const [, file = '', first] = /module (.+) (\d+)/.exec(session.output('stdout')) ?? [];
  const lines = readFileSync(file, 'utf8').split('\n');
  const body = lines.findIndex((line, index) => index > Number(first) && /^ {4}if /.test(line));
  return { file, line: body + 1 };
}
