import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { descendants, survivors } from './processes';
import { begin, CLIENT, openSession, PROGRAMS, PYTHON, type SessionOptions } from './session';

const STEPS = path.join(PROGRAMS, 'steps.py');

function temporary(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'normscope dap é-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const spawnWith = (...python: string[]): SessionOptions => ({
  upstream: { kind: 'spawn', python },
});

/** What the client is told when the adapter does not start, as VS Code reads it. */
async function initializeError(options: SessionOptions): Promise<unknown> {
  const session = await openSession(options);
  const response = await session.ask('initialize', { ...CLIENT });
  expect(response.success).toBe(false);
  await session.event('terminated');
  const error = response.body.error as { format: string; showUser: boolean };
  expect(error.showUser).toBe(true);
  expect(error.format).toBe(response.message);
  return error.format;
}

describe('what can not start says why', () => {
  test('no Python of that name', async () => {
    expect(await initializeError(spawnWith('/no/such/python'))).toBe(
      'Python could not be started as "/no/such/python" (ENOENT): choose an interpreter or set "python" in the launch configuration.',
    );
  });

  test('a Python without debugpy, with how to install it', async () => {
    const folder = temporary();
    execFileSync(PYTHON, ['-m', 'venv', '--without-pip', folder]);
    const inside = process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python';
    const python = path.join(folder, inside);
    expect(await initializeError(spawnWith(python))).toBe(
      `This Python has no debugpy, which debugging needs: run "${python}" -m pip install debugpy`,
    );
  });

  test('an adapter that ends at once is quoted with its last line', async () => {
    const folder = temporary();
    writeFileSync(
      path.join(folder, 'sitecustomize.py'),
      'import os\nos.write(2, b"first\\nlast words\\n")\nos._exit(3)\n',
    );
    const environment = { ...process.env, PYTHONPATH: folder };
    expect(await initializeError({ environment })).toMatch(
      /^The debug adapter of ".*" stopped unexpectedly \(last words\): start the session again\.$/,
    );
  });

  test('an adapter that does not answer is ended after the time limit', async () => {
    const folder = temporary();
    const silent = path.join(folder, 'silent');
    writeFileSync(silent, '#!/bin/sh\nexec sleep 600\n');
    chmodSync(silent, 0o755);
    const session = await openSession({ ...spawnWith(silent), initializeTimeoutMs: 1_000 });
    const asked = session.ask('initialize', { ...CLIENT });
    const tree = descendants(session.serverPid);
    expect((await asked).message).toMatch(/did not answer within 1 seconds/);
    expect(await survivors(tree)).toEqual([]);
  });

  test('output of a start-up hook does not break the adapter', async () => {
    const folder = temporary();
    writeFileSync(path.join(folder, 'sitecustomize.py'), 'print("Welcome to this machine")\n');
    const session = await openSession({ environment: { ...process.env, PYTHONPATH: folder } });
    await begin(session, 'launch', { program: STEPS });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
  });

  test('a module in the working folder does not shadow what the adapter imports', async () => {
    const folder = temporary();
    for (const name of ['json.py', 'debugpy.py', 'socket.py']) {
      writeFileSync(path.join(folder, name), 'raise SystemExit("shadowed")\n');
    }
    const upstream = { kind: 'spawn', python: [PYTHON], cwd: folder } as const;
    const session = await openSession({ upstream });
    await begin(session, 'launch', { program: STEPS });
    expect(await session.event('exited')).toMatchObject({ exitCode: 0 });
  });

  test('a program that is not there', async () => {
    const session = await openSession();
    const response = await begin(session, 'launch', { program: '/no/such/script.py' });
    expect(response.success).toBe(false);
    expect(response.body.error).toMatchObject({
      format:
        'The program /no/such/script.py does not exist: correct "program" in the launch configuration.',
      showUser: true,
    });
  });

  test('a working folder that is not there', async () => {
    const session = await openSession();
    const response = await begin(session, 'launch', { program: STEPS, cwd: '/no/such/folder' });
    expect(response.message).toBe(
      'The working folder /no/such/folder does not exist: correct "cwd" in the launch configuration.',
    );
  });

  test('nothing that listens where attach connects to', async () => {
    const upstream = { kind: 'connect', host: '127.0.0.1', port: 1 } as const;
    expect(await initializeError({ upstream })).toMatch(
      /^No debug adapter answers at 127\.0\.0\.1:1 \(ECONNREFUSED\)/,
    );
  });
});
