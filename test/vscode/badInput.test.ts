import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { DebugWatcher, endEverything, nothingLeftOf, start } from './support/debugging';
import { isOver, normscope, waitForRun } from './support/normscope';
import { program, python } from './support/paths';

const SENTENCE = /^\S.{10,400}\S$/s;

/** Folder that holds the packages of an interpreter. */
const packagesOf = (interpreter: string, name: string) =>
  execFileSync(interpreter, ['-c', `import ${name}; print(${name}.__path__[0])`], {
    encoding: 'utf8',
  }).trim();

/** A Python that has debugpy, if `withDebugpy`, and nothing else. */
async function barePython(folder: string, withDebugpy: boolean): Promise<string> {
  const environment = path.join(folder, 'bare');
  execFileSync(python, ['-m', 'venv', '--without-pip', environment]);
  const windows = process.platform === 'win32';
  if (withDebugpy) {
    const library = path.join(environment, windows ? 'Lib' : 'lib');
    const versions = windows ? [] : await readdir(library);
    const packages = path.join(library, ...versions.slice(0, 1), 'site-packages');
    await symlink(packagesOf(python, 'debugpy'), path.join(packages, 'debugpy'), 'junction');
  }
  return windows
    ? path.join(environment, 'Scripts', 'python.exe')
    : path.join(environment, 'bin', 'python');
}

describe('bad input', () => {
  let watcher: DebugWatcher;
  let since: number;
  let scratch: string;

  beforeEach(async () => {
    watcher = new DebugWatcher();
    since = Date.now();
    scratch = await mkdtemp(path.join(tmpdir(), 'normscope-bad-'));
  });
  afterEach(async () => {
    await endEverything();
    watcher.dispose();
    await rm(scratch, { recursive: true, force: true });
  });

  const launch = (file: string, more: Record<string, unknown> = {}) =>
    start({
      type: 'normscope',
      request: 'launch',
      name: path.basename(file),
      program: file,
      console: 'internalConsole',
      python,
      ...more,
    });

  async function endedWith(file: string, notice: RegExp, exitCode: number) {
    await watcher.allEnded();
    assert.equal(watcher.exitCode, exitCode);
    const run = await waitForRun('a notice', since, (one) => isOver(one) && one.notice !== null);
    assert.match(run.notice ?? '', SENTENCE);
    assert.match(run.notice ?? '', notice);
    await nothingLeftOf(file);
    return run;
  }

  it('says that a program has no norm layer', async () => {
    const file = program('no_norm_layer.py');
    await launch(file);
    const run = await endedWith(file, /norm\w* layer/i, 0);
    assert.ok(watcher.output.join('').includes('done'));
    assert.equal(run.layers, 0);
  });

  it('shows a syntax error and says that nothing was captured', async () => {
    const file = program('syntax_error.py');
    await launch(file);
    await endedWith(file, /exit code 1\b/, 1);
    assert.match(watcher.output.join(''), /SyntaxError/);
  });

  it('says that no optimizer stepped', async () => {
    const file = program('no_optimizer.py');
    await launch(file);
    const run = await endedWith(file, /optimizer|step/i, 0);
    assert.equal(run.layers, 1);
    assert.ok(watcher.output.join('').includes('done'));
  });

  it('says that a program ended at once', async () => {
    const file = program('exits_at_once.py');
    await launch(file);
    await endedWith(file, /exit code 3\b/, 3);
  });

  it('debugs with a Python that has no torch, and says so', async () => {
    const file = path.join(scratch, 'plain.py');
    await copyFile(program('exits_at_once.py'), file);
    await launch(file, { python: await barePython(scratch, true) });
    await endedWith(file, /torch/i, 3);
  });

  it('refuses a Python that has no debugpy, and leaves nothing behind', async () => {
    const file = program('exits_at_once.py');
    const bare = await barePython(scratch, false);
    // VS Code may report the refusal as false or as an error; what counts is that nothing runs.
    await launch(file, { python: bare }).catch(() => undefined);
    await nothingLeftOf(bare);
    assert.equal(vscode.debug.activeDebugSession, undefined);
  });

  it('survives a training process that is killed in the middle of a step', async () => {
    const file = program('trains_on.py');
    await launch(file);
    const running = await waitForRun('some steps', since, (run) => run.steps > 5);
    process.kill(running.pid, 'SIGKILL');
    await watcher.allEnded();
    const run = await waitForRun('a notice', since, (one) => isOver(one) && one.notice !== null);
    assert.match(run.notice ?? '', /killed|vanished/i);
    assert.ok((await normscope()).layers(run.id).length === 1);
    assert.ok(run.steps >= running.steps, 'what was captured is kept');
    await nothingLeftOf(file);
  });

  it('captures a program in a folder with spaces and letters beyond ASCII', async () => {
    const folder = path.join(scratch, 'größe 模型 & co');
    await mkdir(folder);
    const file = path.join(folder, 'train on.py');
    await copyFile(program('trains_on.py'), file);
    await launch(file, { env: { STEPS: '40' }, cwd: folder });
    await watcher.allEnded();
    assert.equal(watcher.exitCode, 0);
    const run = await waitForRun('the end of the run', since, isOver);
    assert.equal(run.steps, 40);
    const [layer] = (await normscope()).layers(run.id);
    assert.equal(layer?.constructedAt?.file, file);
    await nothingLeftOf(file);
  });

  it('captures a Node program in such a folder', async () => {
    const folder = path.join(scratch, 'größe 模型');
    await mkdir(folder);
    const file = path.join(folder, 'train on.cjs');
    await copyFile(program('trains_on.cjs'), file);
    const modules = path.resolve(program('.'), '..', '..', '..', 'node_modules');
    assert.ok(existsSync(modules));
    await symlink(modules, path.join(folder, 'node_modules'), 'junction');
    await start({
      type: 'node',
      request: 'launch',
      name: 'node',
      program: file,
      cwd: folder,
      normscope: true,
    });
    const run = await waitForRun('the end of the run', since, isOver);
    assert.equal(run.framework, 'tfjs');
    assert.equal(run.steps, 30);
    await nothingLeftOf(file);
  });

  it('does not start a program that does not exist', async () => {
    const file = path.join(scratch, 'missing.py');
    await assert.rejects(launch(file));
    await nothingLeftOf(file);
  });
});
