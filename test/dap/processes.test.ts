import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { descendants, survivors, type ProcessEntry } from './processes';
import { begin, openSession, PROGRAMS, type Session } from './session';

const FOREVER = path.join(PROGRAMS, 'forever.py');

interface Running {
  readonly session: Session;
  readonly tree: readonly ProcessEntry[];
  readonly adapter: number;
  readonly launcher: number;
  readonly debuggee: number;
}

async function running(args: object = {}): Promise<Running> {
  const session = await openSession();
  await begin(session, 'launch', { program: FOREVER, ...args });
  const { systemProcessId } = await session.event('process');
  await session.event('output', (body) => String(body.output).startsWith('pid'));
  const debuggee = Number(systemProcessId);
  const tree = descendants(session.serverPid);
  const launcher = tree.find(({ pid }) => pid === debuggee)?.parent ?? 0;
  const adapter = tree.find(({ pid }) => pid === launcher)?.parent ?? 0;
  expect(tree.map(({ pid }) => pid)).toEqual(expect.arrayContaining([debuggee, launcher, adapter]));
  return { session, tree, adapter, launcher, debuggee };
}

describe('no process stays behind', () => {
  test('after terminate', async () => {
    const { session, tree } = await running();
    expect((await session.ask('terminate')).success).toBe(true);
    await session.event('terminated');
    await session.ask('disconnect');
    expect(await survivors(tree)).toEqual([]);
  });

  test('after disconnect', async () => {
    const { session, tree } = await running();
    await session.ask('disconnect', { terminateDebuggee: true });
    expect(await survivors(tree)).toEqual([]);
  });

  test('after terminate, and the same session launches again (restart)', async () => {
    const first = await running();
    await first.session.ask('terminate');
    await first.session.event('terminated');
    await first.session.ask('disconnect', { restart: true });
    const second = await running();
    expect(second.debuggee).not.toBe(first.debuggee);
    await second.session.ask('terminate');
    await second.session.ask('disconnect');
    expect(await survivors([...first.tree, ...second.tree])).toEqual([]);
  });

  test('when the adapter is killed: the session ends with one sentence', async () => {
    const { session, tree, adapter } = await running();
    const pending = session.ask('variables', { variablesReference: 1 });
    process.kill(adapter, 'SIGKILL');
    await session.event('terminated');
    await pending;
    const notice = await session.event('testNotice');
    expect(notice.sentence).toMatch(/debug adapter of .*python.* stopped unexpectedly \(SIGKILL\)/);
    expect(session.output('console')).toContain(String(notice.sentence));
    expect(session.events.filter(({ event }) => event === 'terminated')).toHaveLength(1);
    expect((await session.ask('threads')).message).toBe(notice.sentence);
    expect((await session.ask('disconnect')).success).toBe(true);
    expect(await survivors(tree)).toEqual([]);
  });

  test.each([
    ['with a debugger', {}],
    ['without debugging', { noDebug: true }],
  ])('when debugpy’s launcher is killed, %s', async (_, args) => {
    const { session, tree, launcher, adapter } = await running(args);
    process.kill(launcher, 'SIGKILL');
    await session.event('terminated', undefined, 40_000);
    expect(await survivors(tree.filter(({ pid }) => pid !== adapter))).toEqual([]);
    await session.ask('disconnect');
    expect(await survivors(tree)).toEqual([]);
  });

  test('when the program is killed', async () => {
    const { session, tree, debuggee } = await running();
    process.kill(debuggee, 'SIGKILL');
    await session.event('terminated');
    await session.ask('disconnect');
    expect(await survivors(tree)).toEqual([]);
    expect(session.events.some(({ event }) => event === 'testNotice')).toBe(false);
  });

  test('when the host of the interposer is killed', async () => {
    const { session, tree } = await running();
    process.kill(session.serverPid, 'SIGKILL');
    expect(await survivors(tree)).toEqual([]);
  });

  test('when the host stops while a program is started', async () => {
    const session = await openSession();
    await session.initializeRequest();
    void session.launchRequest({ program: FOREVER } as object).catch(() => undefined);
    await session.event('initialized');
    const tree = descendants(session.serverPid);
    process.kill(session.serverPid, 'SIGTERM');
    expect(tree.length).toBeGreaterThan(1);
    expect(await survivors(tree)).toEqual([]);
  });
});
