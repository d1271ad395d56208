import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listening, run } from './programs';
import { begin, lineOf, openSession, PROGRAMS } from './session';

const AGENT = path.join(import.meta.dirname, 'agent');
const LISTENS = path.join(PROGRAMS, 'listens.py');
const CONNECTS = path.join(PROGRAMS, 'connects.py');
const capture = {
  agentDir: AGENT,
  environment: {
    NORMSCOPE_ADDRESS: 'unix:/tmp/x.sock',
    NORMSCOPE_TOKEN: 'f'.repeat(64),
    NORMSCOPE_CAPTURE: '{"enabled":true}',
  },
};

describe('attach', () => {
  test('connect: the agent starts in the process, a breakpoint stops, detaching lets it run', async () => {
    const { program, upstream, port } = await listening(LISTENS);
    const session = await openSession({ upstream, capture });
    const line = lineOf(readFileSync(LISTENS, 'utf8'), '# attached');
    const breakpoints = { file: LISTENS, breakpoints: [{ line }] };
    const args = { connect: { host: '127.0.0.1', port } };
    const response = await begin(session, 'attach', args, { breakpoints });
    expect(response.success).toBe(true);
    await session.nextStop();
    const { body } = await session.stackTraceRequest({ threadId: 1 });
    const frameId = body.stackFrames[0]?.id ?? -1;
    const value = await session.evaluateRequest({ expression: 'value', frameId });
    expect(value.body.result).toBe('41');
    await session.ask('disconnect', { terminateDebuggee: false });
    const [said] = await program.says(/injected .*/);
    expect(said).toContain(capture.environment.NORMSCOPE_TOKEN);
    expect(said).toContain('unix:/tmp/x.sock');
    expect(session.events.some(({ event }) => event === 'testNotice')).toBe(false);
  });

  test('an agent that can not be imported is one sentence, and debugging goes on', async () => {
    const { upstream, port } = await listening(LISTENS, '--once');
    const missing = { ...capture, agentDir: path.join(PROGRAMS, 'nowhere') };
    const session = await openSession({ upstream, capture: missing });
    const line = lineOf(readFileSync(LISTENS, 'utf8'), '# attached');
    const breakpoints = { file: LISTENS, breakpoints: [{ line }] };
    await begin(session, 'attach', { connect: { host: '127.0.0.1', port } }, { breakpoints });
    const { sentence } = await session.event('testNotice');
    expect(sentence).toMatch(/^Norm capture could not be started .*No such file or directory/);
    await session.nextStop();
    await session.continueRequest({ threadId: 1 });
    await session.event('terminated');
  });

  test('the program killed while attached: the session ends', async () => {
    const { program, upstream, port } = await listening(LISTENS);
    const session = await openSession({ upstream });
    await begin(session, 'attach', { connect: { host: '127.0.0.1', port } });
    program.child.kill('SIGKILL');
    await session.event('terminated');
  });

  test('listen: the program connects to the adapter', async () => {
    const session = await openSession();
    const breakpoints = {
      file: CONNECTS,
      breakpoints: [{ line: lineOf(readFileSync(CONNECTS, 'utf8'), '# attached') }],
    };
    const listen = { host: '127.0.0.1', port: 0 };
    const started = begin(session, 'attach', { listen }, { breakpoints });
    const { port } = await session.event('debugpyWaitingForServer');
    const program = run(CONNECTS, String(port));
    await started;
    await session.nextStop();
    const { body } = await session.threadsRequest();
    await session.continueRequest({ threadId: body.threads[0]?.id ?? 1 });
    await program.says(/connected 42/);
    await session.event('terminated');
  });

  test('processId: a running program is entered and gets the agent', async () => {
    const program = run(path.join(PROGRAMS, 'forever.py'));
    await program.says(/pid \d+/);
    const session = await openSession({ capture });
    const response = await begin(session, 'attach', { processId: program.child.pid });
    expect(response.success, session.output()).toBe(true);
    await session.pauseRequest({ threadId: 1 });
    const { threadId = 1 } = await session.nextStop();
    const { body } = await session.stackTraceRequest({ threadId });
    const frame = body.stackFrames.find(({ name }) => name === '<module>');
    const read = (expression: string) =>
      session.evaluateRequest({ expression, frameId: frame?.id ?? -1 });
    expect(Number((await read('counter')).body.result)).toBeGreaterThan(0);
    const { result } = (await read('__import__("builtins").normscope_received[1]')).body;
    expect(result).toContain('f'.repeat(64));
    await session.ask('disconnect', { terminateDebuggee: false });
    expect(program.child.exitCode).toBeNull();
  });
});
