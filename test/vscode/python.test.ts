import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { waitFor } from '../harness/waitFor';
import { breakAt, clearBreakpoints, DebugWatcher, endEverything } from './support/debugging';
import { nothingLeftOf, pathOf, start } from './support/debugging';
import { lineOf, linesOf } from './support/lines';
import { isOver, normscope, waitForRun } from './support/normscope';
import { example, program, python } from './support/paths';

const TRANSFORMER = example('python', 'transformer.py');
const STEP_LINE = /\.backward\(/;

interface Variables {
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

describe('debugging Python', () => {
  let watcher: DebugWatcher;
  let since: number;

  beforeEach(() => {
    watcher = new DebugWatcher();
    since = Date.now();
  });
  afterEach(async () => {
    await endEverything();
    watcher.dispose();
  });

  it('stops, shows variables, evaluates, goes on to the end and finds the layers', async () => {
    const line = lineOf(TRANSFORMER, STEP_LINE);
    breakAt(TRANSFORMER, line);
    await start('Transformer (PyTorch)');
    const { session, frame, threadId } = await watcher.pause();
    assert.equal(session.type, 'normscope');
    assert.equal(frame.line, line);
    assert.equal(pathOf(frame), TRANSFORMER);

    const { scopes } = (await session.customRequest('scopes', { frameId: frame.id })) as {
      scopes: { name: string; variablesReference: number }[];
    };
    const locals = scopes.find((scope) => /local/i.test(scope.name));
    const { variables } = (await session.customRequest('variables', {
      variablesReference: locals?.variablesReference,
    })) as Variables;
    assert.ok(variables.length > 0);
    const answer = (await session.customRequest('evaluate', {
      expression: '(6 * 7, __file__)',
      frameId: frame.id,
      context: 'repl',
    })) as { result: string };
    assert.ok(answer.result.startsWith('(42, '), answer.result);
    assert.ok(answer.result.includes('transformer.py'), answer.result);

    clearBreakpoints();
    await session.customRequest('continue', { threadId });
    await watcher.allEnded();
    assert.equal(watcher.exitCode, 0);

    const run = await waitForRun('the end of the run', since, isOver);
    assert.equal(run.framework, 'torch');
    assert.equal(run.sessionType, 'normscope');
    assert.ok(run.steps > 10 && run.framesReceived > 0, JSON.stringify(run));
    assert.ok(Number.isFinite(run.firstLoss) && Number.isFinite(run.lastLoss));

    const layers = (await normscope()).layers(run.id);
    const places = linesOf(TRANSFORMER, /nn\.(LayerNorm|RMSNorm)\(/);
    assert.ok(layers.length >= places.length, JSON.stringify(layers.map((one) => one.name)));
    assert.equal(new Set(layers.map((one) => one.name)).size, layers.length);
    for (const layer of layers) {
      assert.equal(layer.constructedAt?.file, TRANSFORMER, layer.name);
      assert.ok(places.includes(layer.constructedAt.line), `${layer.name} is elsewhere`);
    }
    await nothingLeftOf(TRANSFORMER);
  });

  it('steps from line to line', async () => {
    const file = program('trains_on.py');
    const line = lineOf(file, STEP_LINE);
    breakAt(file, line);
    await start({ type: 'normscope', request: 'launch', name: 'step', program: file, python });
    const first = await watcher.pause();
    await first.session.customRequest('next', { threadId: first.threadId });
    const second = await watcher.pause();
    assert.equal(second.reason, 'step');
    assert.equal(second.frame.line, line + 1);
  });

  it('stops in the middle of training and leaves no process', async () => {
    const file = program('trains_on.py');
    await start({
      type: 'normscope',
      request: 'launch',
      name: 'stop',
      program: file,
      python,
      console: 'internalConsole',
    });
    await waitForRun('some steps', since, (run) => run.steps > 5);
    await vscode.debug.stopDebugging(watcher.started[0]);
    await watcher.allEnded();
    const run = await waitForRun('the end of the run', since, isOver);
    assert.ok(run.steps > 5);
    await nothingLeftOf(file);
  });

  it('starts again from the beginning on restart', async () => {
    const file = program('trains_on.py');
    await start({
      type: 'normscope',
      request: 'launch',
      name: 'restart',
      program: file,
      python,
      console: 'internalConsole',
    });
    const first = await waitForRun('some steps', since, (run) => run.steps > 5);
    const restarted = Date.now();
    await vscode.commands.executeCommand('workbench.action.debug.restart');
    const second = await waitForRun('the second run', restarted, (run) => run.steps > 5);
    assert.notEqual(second.id, first.id);
    assert.notEqual(second.pid, first.pid);
    const before = (await normscope()).runs().find((run) => run.id === first.id);
    assert.ok(before !== undefined && isOver(before), JSON.stringify(before));
    await endEverything();
    await nothingLeftOf(file);
  });

  it('debugs the file in the editor by the command', async () => {
    const file = program('trains_on.py');
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    await vscode.commands.executeCommand('normscope.debugCurrentFile');
    const run = await waitForRun('some steps', since, (one) => one.steps > 5);
    assert.equal(run.framework, 'torch');
    assert.equal(run.layers, 1);
    await vscode.debug.stopDebugging();
    await waitFor('no session', () => vscode.debug.activeDebugSession === undefined);
    await nothingLeftOf(file);
  });

  it('pauses a running program and shows the run as paused', async () => {
    const file = program('trains_on.py');
    await start({ type: 'normscope', request: 'launch', name: 'pause', program: file, python });
    await waitForRun('some steps', since, (run) => run.steps > 2 && run.phase === 'running');
    await vscode.commands.executeCommand('workbench.action.debug.pause');
    const pause = await watcher.pause();
    const paused = await waitForRun('the pause', since, (run) => run.phase === 'paused');
    await sleep(300);
    const still = await waitForRun('the pause', since, (run) => run.phase === 'paused');
    assert.equal(still.steps, paused.steps);
    await pause.session.customRequest('continue', { threadId: pause.threadId });
    await waitForRun('more steps', since, (run) => run.steps > paused.steps);
  });
});
