import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { waitFor } from '../harness/waitFor';
import { DebugWatcher, endEverything, nothingLeftOf, start } from './support/debugging';
import { isOver, normscope, waitForRun } from './support/normscope';
import { example, program, python } from './support/paths';

const TRANSFORMER = example('python', 'transformer.py');

const configuration = (more: object = {}): vscode.DebugConfiguration => ({
  type: 'debugpy',
  request: 'launch',
  name: 'Existing',
  program: TRANSFORMER,
  python: [python],
  console: 'internalConsole',
  ...more,
});

describe('a configuration of another extension’s Python debugger', () => {
  let watcher: DebugWatcher;
  let since: number;

  const automatic = (value: string | undefined) =>
    vscode.workspace
      .getConfiguration('normscope')
      .update('capture.automatic', value, vscode.ConfigurationTarget.Global);

  beforeEach(() => {
    watcher = new DebugWatcher();
    since = Date.now();
  });
  afterEach(async () => {
    await automatic(undefined);
    await endEverything();
    watcher.dispose();
  });

  async function captured(): Promise<void> {
    const run = await waitForRun('the end of the run', since, isOver);
    assert.equal(run.sessionType, 'debugpy');
    assert.equal(run.framework, 'torch');
    assert.ok(run.steps > 10 && run.layers > 1, JSON.stringify(run));
    await watcher.allEnded();
    assert.equal(watcher.exitCode, 0);
    assert.deepEqual(
      watcher.started.map(({ type }) => type),
      ['debugpy'],
    );
    await nothingLeftOf(TRANSFORMER);
  }

  it('is captured where it says so, and keeps its type', async () => {
    await start(configuration({ normscope: { budgetPercent: 0 } }));
    await captured();
  });

  it('is captured where the setting says so', async () => {
    await automatic('on');
    await start(configuration());
    await captured();
  });

  it('is left alone else, and where it says so itself', async () => {
    await automatic('on');
    await start(configuration({ normscope: false }));
    await watcher.allEnded();
    await automatic('off');
    await start(configuration());
    await watcher.allEnded();
    assert.equal(watcher.exitCode, 0);
    assert.equal(watcher.started.length, 2);
    const api = await normscope();
    assert.deepEqual(
      api.runs().filter(({ startedAt }) => startedAt >= since),
      [],
    );
  });

  it('gets capture while it runs, on command', async () => {
    const file = program('trains_on.py');
    await start(configuration({ program: file, normscope: false }));
    await waitFor('output', () => watcher.output.length > 0);
    await vscode.commands.executeCommand('normscope.injectCapture');
    await waitForRun('steps', since, ({ steps, layers }) => steps > 3 && layers > 0);
    await Promise.all(watcher.started.map((session) => vscode.debug.stopDebugging(session)));
    await waitForRun('the end of the run', since, isOver);
    await nothingLeftOf(file);
  });

  it('is captured again when it is restarted', async () => {
    const file = program('trains_on.py');
    await start(configuration({ program: file, normscope: true }));
    const first = await waitForRun('steps', since, ({ steps }) => steps > 3);
    await vscode.commands.executeCommand('workbench.action.debug.restart');
    const again = Date.now();
    const second = await waitForRun('steps after it', again, ({ steps }) => steps > 3);
    assert.notEqual(second.id, first.id);
    await Promise.all(watcher.started.map((session) => vscode.debug.stopDebugging(session)));
    await nothingLeftOf(file);
  });

  it('leaves no process behind when it is stopped in a pause', async () => {
    await start(configuration({ normscope: true, stopOnEntry: true }));
    const { session } = await watcher.pause();
    await vscode.debug.stopDebugging(session);
    await watcher.allEnded();
    await nothingLeftOf(TRANSFORMER);
  });
});
