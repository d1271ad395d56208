import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { begin, lineOf, openSession, PROGRAMS } from './session';
import type { Session, SessionOptions } from './session';

const AGENT = path.join(import.meta.dirname, 'agent');
const CALLS = path.join(PROGRAMS, 'callsAgent.py');
const text = readFileSync(CALLS, 'utf8');

const capture = {
  agentDir: AGENT,
  environment: {
    NORMSCOPE_ADDRESS: 'unix:/tmp/größe/normscope.sock',
    NORMSCOPE_TOKEN: '0123456789abcdef'.repeat(4),
    NORMSCOPE_CAPTURE: '{"enabled":true,"budgetPercent":1,"extraClasses":["My\\"Norm*"]}',
  },
};

function environmentOf(session: Session): Record<string, unknown> {
  const [, json = '{}'] = /environment (\{.*\})/.exec(session.output('stdout')) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}

describe('the capture environment', () => {
  test.each([
    ['with the debugger', {}],
    ['without debugging', { noDebug: true }],
  ])('is in the launched process, %s', async (_, args) => {
    const session = await openSession({ capture });
    await begin(session, 'launch', { program: CALLS, ...args });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    const { PYTHONPATH, ...rest } = environmentOf(session);
    expect(rest).toEqual({ ...capture.environment, sitecustomize: true });
    expect(String(PYTHONPATH).split(path.delimiter)[0]).toBe(AGENT);
  });

  test('keeps the PYTHONPATH of the request', async () => {
    const session = await openSession({ capture });
    await begin(session, 'launch', { program: CALLS, env: { PYTHONPATH: '/mine' } });
    await session.event('exited');
    expect(environmentOf(session).PYTHONPATH).toBe(`${AGENT}${path.delimiter}/mine`);
  });

  test('keeps the PYTHONPATH of the parent where the request has none', async () => {
    const environment = { ...process.env, PYTHONPATH: tmpdir() };
    const session = await openSession({ capture, environment });
    await begin(session, 'launch', { program: CALLS });
    await session.event('exited');
    expect(environmentOf(session).PYTHONPATH).toBe(`${AGENT}${path.delimiter}${tmpdir()}`);
  });

  test('leaves PYTHONPATH out of what was inherited where the request unsets it', async () => {
    const environment = { ...process.env, PYTHONPATH: tmpdir() };
    const session = await openSession({ capture, environment });
    await begin(session, 'launch', { program: CALLS, env: { PYTHONPATH: null } });
    await session.event('exited');
    expect(environmentOf(session).PYTHONPATH).toBe(AGENT);
  });

  test('is in a process that the client starts in a terminal', async () => {
    const session = await openSession({ capture });
    const code = ['import os', 'os._exit(7 if os.environ["NORMSCOPE_TOKEN"][:4] == "0123" else 1)'];
    await begin(session, 'launch', { code, console: 'integratedTerminal' });
    expect(await session.event('exited')).toMatchObject({ exitCode: 7 });
  });

  test('is not there without capture', async () => {
    const session = await openSession();
    await begin(session, 'launch', { program: CALLS, env: { PYTHONPATH: AGENT } });
    await session.event('exited');
    expect(environmentOf(session)).toEqual({ PYTHONPATH: AGENT, sitecustomize: true });
  });

  test('a Python that ignores its environment gets the agent while it runs', async () => {
    const session = await openSession({ capture });
    const program = path.join(PROGRAMS, 'ignoresEnvironment.py');
    await begin(session, 'launch', { program, pythonArgs: ['-I'] });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
    expect(session.output('stdout')).toContain(capture.environment.NORMSCOPE_TOKEN);
  });
});

describe('the agent’s files', () => {
  const line = lineOf(text, '# call');

  const agentFile = path.join(AGENT, 'normscope', '__init__.py');
  const inAgent = lineOf(readFileSync(agentFile, 'utf8'), '# in agent');

  async function stepIn(options: SessionOptions, args: object) {
    const session = await openSession(options);
    const breakpoints = { file: CALLS, breakpoints: [{ line }] };
    await begin(session, 'launch', { program: CALLS, ...args }, { breakpoints });
    await session.nextStop();
    await session.stepInRequest({ threadId: 1 });
    await session.nextStop();
    const { body } = await session.stackTraceRequest({ threadId: 1 });
    const { body: set } = await session.setBreakpointsRequest({
      source: { path: agentFile },
      breakpoints: [{ line: inAgent }],
    });
    const agentFrames = body.stackFrames.filter(({ source }) => source?.path === agentFile);
    return {
      verified: set.breakpoints[0]?.verified,
      top: body.stackFrames[0]?.name,
      agentFrames: agentFrames.length,
    };
  }

  test.each([true, false])(
    'are stepped through to the user’s function, and take no breakpoint, justMyCode %s',
    async (justMyCode) => {
      const stepped = await stepIn({ capture }, { justMyCode });
      expect(stepped).toEqual({ verified: false, top: 'target', agentFrames: 0 });
    },
  );

  test('would be stepped into without our rule', async () => {
    const stepped = await stepIn({}, { env: { PYTHONPATH: AGENT } });
    expect(stepped).toEqual({ verified: true, top: 'call', agentFrames: 1 });
  });

  test('the user’s own rules still count', async () => {
    const session = await openSession({ capture });
    const rules = [{ path: path.join(PROGRAMS, '**'), include: false }];
    const breakpoints = { file: CALLS, breakpoints: [{ line }] };
    await begin(session, 'launch', { program: CALLS, rules }, { breakpoints });
    await session.event('exited');
    expect(session.events.some(({ event }) => event === 'stopped')).toBe(false);
  });
});
