import { mkdtempSync, readFileSync, rmSync, cpSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { begin, lineOf, openSession, PROGRAMS } from './session';

const STEPS = path.join(PROGRAMS, 'steps.py');
const source = readFileSync(STEPS, 'utf8');

function parsed(output: string, start: string): Record<string, unknown> {
  const line = output.split('\n').find((candidate) => candidate.startsWith(start)) ?? '';
  return JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>;
}

describe('launch', () => {
  test('a program runs to its end and reports its output and exit code', async () => {
    const session = await openSession();
    const started = await begin(session, 'launch', {
      program: STEPS,
      args: ['one', 'two words', 'drei µ'],
      cwd: tmpdir(),
      pythonArgs: ['-O'],
      env: { SOME_VARIABLE: 'größer' },
    });
    expect(started.success).toBe(true);
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    await session.event('terminated');
    expect(parsed(session.output('stdout'), '{"total"')).toEqual({ total: 20, text: 'größe π' });
    expect(parsed(session.output('stdout'), '{"argv"')).toEqual({
      argv: ['one', 'two words', 'drei µ'],
      cwd: realpathSync(tmpdir()),
      flags: 1,
    });
    expect(parsed(session.output('stdout'), 'environment')).toMatchObject({
      SOME_VARIABLE: 'größer',
    });
  });

  test('a module runs', async () => {
    const session = await openSession();
    await begin(session, 'launch', { module: 'steps', cwd: PROGRAMS });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    expect(session.output('stdout')).toContain('"total": 20');
  });

  test('code runs', async () => {
    const session = await openSession();
    await begin(session, 'launch', { code: ['x = 6', 'print("product", x * 7)'] });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    expect(session.output('stdout')).toContain('product 42');
  });

  test('a folder with spaces and letters beyond ASCII works, breakpoint included', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'größe 日本 x-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = path.join(folder, 'mein skript é.py');
    cpSync(STEPS, program);
    const session = await openSession();
    const breakpoints = [{ line: lineOf(source, '# after loop') }];
    const file = { file: program, breakpoints };
    await begin(session, 'launch', { program }, { breakpoints: file });
    await session.nextStop();
    const { body } = await session.stackTraceRequest({ threadId: 1, levels: 1 });
    expect(body.stackFrames[0]?.source?.path).toBe(program);
    await session.continueRequest({ threadId: 1 });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
  });

  test('without debugging a program runs and breakpoints do not stop it', async () => {
    const session = await openSession();
    await begin(session, 'launch', { program: STEPS, noDebug: true });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    expect(session.output('stdout')).toContain('"total": 20');
  });

  test('a program with a syntax error ends with exit code 1 and its message', async () => {
    const session = await openSession();
    await begin(session, 'launch', { program: path.join(PROGRAMS, 'broken.py') });
    expect(await session.event('exited')).toMatchObject({ exitCode: 1 });
    await session.event('terminated');
    expect(session.output('stderr')).toContain('SyntaxError');
  });

  test('a program in the integrated terminal is started by the client', async () => {
    const session = await openSession();
    const breakpoints = { file: STEPS, breakpoints: [{ line: lineOf(source, '# loop') }] };
    const args = { program: STEPS, console: 'integratedTerminal' };
    await begin(session, 'launch', args, { breakpoints });
    await session.nextStop();
    expect(session.reverseRequests.map((request) => request.command)).toEqual(['runInTerminal']);
    expect(session.reverseRequests[0]?.arguments).toMatchObject({ kind: 'integrated' });
    await session.setBreakpointsRequest({ source: { path: STEPS }, breakpoints: [] });
    await session.continueRequest({ threadId: 1 });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
  });
});
