import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectTarget } from '../../extension/debug/interposer/startTarget';
import { begin, lineOf, openSession, PROGRAMS, type Session } from './session';

const CHILDREN = path.join(PROGRAMS, 'children.py');
const line = lineOf(readFileSync(CHILDREN, 'utf8'), '# in child');
const breakpoints = { file: CHILDREN, breakpoints: [{ line }] };
const AGENT = path.join(import.meta.dirname, 'agent');
const capture = { agentDir: AGENT, environment: { NORMSCOPE_TOKEN: 'a'.repeat(64) } };

type Configuration = Readonly<Record<string, unknown>>;

const configurationOf = (request: { arguments?: { configuration: Configuration } }) =>
  request.arguments?.configuration ?? {};

async function childSession(configuration: Configuration): Promise<Session> {
  const upstream = connectTarget({ ...configuration, request: 'attach' });
  if (!upstream) throw new Error('The child names no place to connect to.');
  const session = await openSession({ upstream });
  await begin(session, 'attach', configuration, { breakpoints });
  return session;
}

describe('child processes', () => {
  test('spawned by multiprocessing, each is debugged in a session of its own', async () => {
    const parent = await openSession({ capture });
    const children: Promise<Session>[] = [];
    parent.onReverse = (request) => {
      children.push(childSession(configurationOf(request)));
      return {};
    };
    await begin(parent, 'launch', { program: CHILDREN, subProcess: true });
    const stoppedChild = await firstStopped(children);
    const stop = stoppedChild.events.find(({ event }) => event === 'stopped');
    const { threadId } = stop?.body as { threadId: number };
    const { body } = await stoppedChild.stackTraceRequest({ threadId });
    const frame = body.stackFrames[0];
    expect(frame).toMatchObject({ name: 'work', line });
    const read = async (expression: string) => {
      const answer = await stoppedChild.evaluateRequest({ expression, frameId: frame?.id ?? -1 });
      return answer.body.result;
    };
    expect(await read('answer')).toBe('42');
    // The child inherits capture; nobody injects it a second time.
    expect(await read('__import__("os").environ["NORMSCOPE_TOKEN"]')).toContain('a'.repeat(64));
    expect(await read('"normscope" in __import__("sys").modules')).toBe('False');
    await stoppedChild.continueRequest({ threadId });
    expect(await parent.event('exited')).toMatchObject({ exitCode: 0 });
    expect(parent.output('stdout')).toContain('answer 42');
    // multiprocessing's resource tracker is let go without a session where it can be told apart.
    if (process.platform === 'linux') expect(children).toHaveLength(1);
  });

  test('a child that the client does not take runs on, with one sentence', async () => {
    const parent = await openSession();
    parent.onReverse = () => {
      throw new Error('no room');
    };
    await begin(parent, 'launch', { program: CHILDREN });
    expect(await parent.event('exited')).toMatchObject({ exitCode: 0 });
    expect(parent.output('stdout')).toContain('answer 42');
    const { sentence } = await parent.event('testNotice');
    expect(sentence).toMatch(/^Subprocess \d+ is not debugged/);
  });

  test('a client that never answers does not keep the parent from its other requests', async () => {
    const parent = await openSession();
    parent.onReverse = () => new Promise<object>(() => undefined);
    await begin(parent, 'launch', { program: CHILDREN });
    while (parent.reverseRequests.length === 0) await parent.threadsRequest();
    const { body } = await parent.threadsRequest();
    expect(body.threads.length).toBeGreaterThan(0);
  });

  test('subProcess: false starts none', async () => {
    const parent = await openSession();
    await begin(parent, 'launch', { program: CHILDREN, subProcess: false });
    expect(await parent.event('exited')).toMatchObject({ exitCode: 0 });
    expect(parent.reverseRequests).toEqual([]);
  });
});

async function firstStopped(children: readonly Promise<Session>[]): Promise<Session> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    for (const child of children) {
      const session = await Promise.race([child, undefined]);
      if (session?.events.some(({ event }) => event === 'stopped')) return session;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('No child stopped.');
}
