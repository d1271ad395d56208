import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LayerInfo } from '../../extension/protocol/layers';
import {
  breakAt,
  clearBreakpoints,
  DebugWatcher,
  endEverything,
  pathOf,
  start,
  type Pause,
} from './support/debugging';
import { lineOf } from './support/lines';
import { isOver, normscope, waitForRun } from './support/normscope';
import { example, root } from './support/paths';

const PROGRAM = path.join(root, 'test', 'agents', 'node', 'programs', 'plants.cjs');
const TWINS = path.join(path.dirname(PROGRAM), 'twins.cjs');
const STEPS = '1200';
const PLANTED = 1000;

interface Listed {
  readonly name: string;
  readonly value: string;
  readonly variablesReference: number;
}

const launch = (program: string, ...args: string[]) =>
  start({
    type: 'node',
    request: 'launch',
    name: 'plants',
    program,
    args,
    normscope: { budgetPercent: 0 },
    console: 'internalConsole',
  });

/** The program, made to use one of the packages of the examples. */
function copyFor(flavour: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'normscope-plants-'));
  const file = path.join(folder, 'plants.cjs');
  const used = example('tfjs', 'node_modules', '@tensorflow', flavour);
  const source = readFileSync(PROGRAM, 'utf8');
  writeFileSync(file, source.replace("'@tensorflow/tfjs'", JSON.stringify(used)));
  return file;
}

async function allOf<T>(pause: Pause, request: string, args: object, key: string): Promise<T[]> {
  const body = (await pause.session.customRequest(request, args)) as Record<string, T[]>;
  return body[key] ?? [];
}

async function evaluate(pause: Pause, expression: string, context: string): Promise<string> {
  const args = { expression, frameId: pause.frame.id, context };
  const { result } = (await pause.session.customRequest('evaluate', args)) as { result: string };
  return result;
}

const go = ({ session, threadId }: Pause) => session.customRequest('continue', { threadId });

describe('TF.js tensors in a paused program', () => {
  let watcher: DebugWatcher;
  let since: number;

  beforeEach(() => {
    watcher = new DebugWatcher();
    since = Date.now();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('normscope.removeTensorBreakpoints');
    await endEverything();
    watcher.dispose();
  });

  /** Lets a program train a little, has it stop at a layer, and gives out where it is then. */
  async function stopAt(name: string, where: string): Promise<Pause> {
    breakAt(PROGRAM, lineOf(PROGRAM, /LINE minimized/));
    await launch(PROGRAM, where, String(PLANTED), STEPS);
    let pause = await watcher.pause();
    await go(pause);
    pause = await watcher.pause();
    const run = await waitForRun('a layout', since, ({ steps }) => steps > 0);
    const layers = (await normscope()).layers(run.id);
    const layer = layers.find((one): one is LayerInfo => one.name === name);
    assert.ok(layer, JSON.stringify(layers));
    const target = { run: run.id, layers: [layer.id] };
    await vscode.commands.executeCommand('normscope.addTensorBreakpoint', target);
    clearBreakpoints();
    await go(pause);
    return watcher.pause();
  }

  for (const flavour of ['tfjs', 'tfjs-node'])
    it(`have one text in Variables, hovers, watches and the Debug Console: ${flavour}`, async () => {
      const program = copyFor(flavour);
      breakAt(program, lineOf(program, /LINE behind minimize/));
      await launch(program, 'never', '0', '3');
      const pause = await watcher.pause();
      for (const context of ['hover', 'watch', 'repl']) {
        assert.match(
          await evaluate(pause, 'x', context),
          /^float32\[4, 6\] · μ [−\d.]+ σ 0\.\d+ · −\S+ … \S+ [▁▂▃▄▅▆▇█]{7} · NaN 0$/,
        );
      }
      assert.match(await evaluate(pause, 'cost', 'hover'), /^float32\[\] · [\d.]+$/);
      assert.match(await evaluate(pause, 'first.gamma.val', 'watch'), /^float32\[6\] Variable · /);
      const scopes = await allOf<Listed>(pause, 'scopes', { frameId: pause.frame.id }, 'scopes');
      const texts: string[] = [];
      for (const { variablesReference } of scopes.slice(0, 3)) {
        const rows = await allOf<Listed>(pause, 'variables', { variablesReference }, 'variables');
        texts.push(...rows.map(({ name, value }) => `${name}: ${value}`));
      }
      assert.ok(
        texts.some((text) => /^cost: float32\[\] · [\d.]+$/.test(text)),
        JSON.stringify(texts),
      );
      const gone = '(() => { const gone = tf.zeros([2, 3]); gone.dispose(); return gone; })()';
      assert.equal(await evaluate(pause, gone, 'repl'), 'float32[2, 3] · no data (disposed)');
    });

  it('stop the program behind the layer that sees a NaN in a forward pass', async () => {
    const pause = await stopAt('second', 'forward');
    assert.equal(pathOf(pause.frame), PROGRAM);
    assert.equal(pause.frame.name, 'global.costOf');
    const called = lineOf(PROGRAM, /LINE second called/);
    assert.ok(
      pause.frame.line > called && pause.frame.line <= called + 2,
      String(pause.frame.line),
    );
    assert.equal(pause.reason, 'exception');
    assert.equal(await evaluate(pause, 'step', 'watch'), String(PLANTED));
    assert.match(await evaluate(pause, 'hidden', 'watch'), /NaN 1 · Inf 1$/);
    const info = (await pause.session.customRequest('exceptionInfo', {
      threadId: pause.threadId,
    })) as { description?: string };
    assert.match(
      info.description ?? '',
      /^second: 1 NaN, 1 \+Inf among 24 values of its input at step 1,000\. /,
    );
    // One cause stops once.
    await go(pause);
    await watcher.allEnded();
    assert.match(watcher.output.join(''), /"costs"/);
  });

  it('say of each of two processes what it stopped for itself', async () => {
    await launch(PROGRAM, 'never', '0', '3');
    const run = await waitForRun('the end', since, isOver);
    const layers = (await normscope()).layers(run.id);
    const layer = layers.find(({ name }) => name === 'second');
    const target = { run: run.id, layers: [layer?.id] };
    await vscode.commands.executeCommand('normscope.addTensorBreakpoint', target);
    await watcher.allEnded();
    await launch(TWINS, '300', '320', STEPS);
    const steps: string[] = [];
    for (const pause of [await watcher.pause(), await watcher.pause()]) {
      const step = await evaluate(pause, 'step', 'watch');
      const { threadId } = pause;
      const info = (await pause.session.customRequest('exceptionInfo', { threadId })) as {
        description?: string;
      };
      assert.ok(info.description?.includes(` at step ${step}. `), info.description);
      steps.push(step);
    }
    assert.deepEqual(steps.sort(), ['300', '320']);
  });

  it('stop the program behind the backward pass that makes a NaN', async () => {
    const pause = await stopAt('second', 'backward');
    assert.equal(pathOf(pause.frame), PROGRAM);
    assert.equal(pause.frame.name, 'global.train');
    const line = lineOf(PROGRAM, /LINE minimized/);
    assert.ok(pause.frame.line >= line && pause.frame.line <= line + 1, String(pause.frame.line));
    assert.equal(await evaluate(pause, 'step', 'watch'), String(PLANTED));
    await go(pause);
    await watcher.allEnded();
  });
});
