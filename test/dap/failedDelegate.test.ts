import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { begin, openSession, PROGRAMS } from './session';

test('a request that the interposer fails on is answered, and the log says why', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ns-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const log = path.join(folder, 'log');
  const session = await openSession({ environment: { ...process.env, NORMSCOPE_TEST_LOG: log } });
  // No file system call takes a null character.
  const args = { program: path.join(PROGRAMS, 'steps.py'), cwd: 'a\u0000b' };
  const response = await begin(session, 'launch', args);
  expect(response.success).toBe(false);
  expect(response.message).toMatch(/^NormScope could not handle "launch" \(.*null bytes.*\): /);
  expect(readFileSync(log, 'utf8')).toMatch(/^interposer: TypeError.*\n +at /m);
  const other = await session.ask('threads');
  expect(other.command).toBe('threads');
});
