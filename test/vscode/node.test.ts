import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { breakAt, clearBreakpoints, DebugWatcher, endEverything } from './support/debugging';
import { nothingLeftOf, start } from './support/debugging';
import { lineOf } from './support/lines';
import { isOver, normscope, waitForRun } from './support/normscope';
import { example, program } from './support/paths';

const TRAIN = example('tfjs', 'train.js');

describe('debugging TF.js in Node', () => {
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

  it('stops, evaluates, goes on to the end and finds the layers', async () => {
    const file = program('trains_on.cjs');
    const line = lineOf(file, /trainOnBatch/);
    breakAt(file, line);
    await start({
      type: 'node',
      request: 'launch',
      name: 'node',
      program: file,
      normscope: true,
    });
    const { session, frame, threadId } = await watcher.pause();
    assert.equal(frame.line, line);
    const answer = (await session.customRequest('evaluate', {
      expression: 'steps + 12',
      frameId: frame.id,
      context: 'repl',
    })) as { result: string };
    assert.equal(answer.result, '42');
    clearBreakpoints();
    await session.customRequest('continue', { threadId });
    await watcher.allEnded();

    const run = await waitForRun('the end of the run', since, isOver);
    assert.equal(run.framework, 'tfjs');
    assert.equal(run.steps, 30);
    const layers = (await normscope()).layers(run.id);
    assert.deepEqual(
      layers.map(({ family, features }) => ({ family, features })),
      [{ family: 'batch', features: 8 }],
    );
    assert.equal(layers[0]?.constructedAt?.file, file);
    assert.equal(layers[0].constructedAt.line, lineOf(file, /batchNormalization/));
    await nothingLeftOf(file);
  });

  it('captures the example from launch.json', async () => {
    await start('TF.js (Node)');
    await watcher.allEnded();
    const run = await waitForRun('the end of the run', since, isOver);
    assert.equal(run.framework, 'tfjs');
    assert.ok(run.steps > 10 && run.framesReceived > 0, JSON.stringify(run));
    assert.ok(Number.isFinite(run.firstLoss) && Number.isFinite(run.lastLoss));
    const families = (await normscope()).layers(run.id).map((layer) => layer.family);
    assert.ok(families.includes('batch') && families.includes('layer'), families.join());
    await nothingLeftOf(TRAIN);
  });

  it('debugs the file in the editor by the command', async () => {
    const file = program('trains_on.cjs');
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    await vscode.commands.executeCommand('normscope.debugCurrentFile');
    const run = await waitForRun('the end of the run', since, isOver);
    assert.equal(run.framework, 'tfjs');
    assert.equal(run.steps, 30);
  });

  it('leaves a launch that does not ask for capture as it is', async () => {
    await normscope();
    const before = (await normscope()).runs().length;
    const file = program('trains_on.cjs');
    await start({ type: 'node', request: 'launch', name: 'plain', program: file });
    await watcher.allEnded();
    assert.equal((await normscope()).runs().length, before);
  });
});
