import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { breakAt, DebugWatcher, endEverything, start } from './support/debugging';
import { lineOf } from './support/lines';
import { example } from './support/paths';

const TRANSFORMER = example('python', 'transformer.py');

interface Listed {
  readonly name: string;
  readonly value: string;
  readonly variablesReference: number;
}

describe('tensors in a paused program', () => {
  let watcher: DebugWatcher;

  beforeEach(() => {
    watcher = new DebugWatcher();
  });
  afterEach(async () => {
    await endEverything();
    watcher.dispose();
  });

  it('stand at the ends of lines, in Variables and, once a step was captured, among norm layers', async () => {
    const line = lineOf(TRANSFORMER, /optimizer\.step\(/);
    const [breakpoint] = vscode.debug.breakpoints;
    assert.equal(breakpoint, undefined);
    breakAt(TRANSFORMER, line);
    await start('Transformer (PyTorch)');
    let pause = await watcher.pause();
    for (let step = 0; step < 3; step++) {
      await pause.session.customRequest('continue', { threadId: pause.threadId });
      pause = await watcher.pause();
    }
    const { session, frame } = pause;

    const document = await vscode.workspace.openTextDocument(TRANSFORMER);
    const values = await vscode.commands.executeCommand<vscode.InlineValue[]>(
      'vscode.executeInlineValueProvider',
      document.uri,
      new vscode.Range(0, 0, document.lineCount, 0),
      {
        frameId: frame.id,
        stoppedLocation: new vscode.Range(frame.line - 1, 0, frame.line - 1, 0),
      },
    );
    const texts = values.flatMap((value) => ('text' in value ? [value.text] : []));
    const shown = texts.filter((text) => /^[\w.]+ = (float32|int64)\[/.test(text));
    assert.ok(shown.length > 0, JSON.stringify(texts));
    for (const value of values) assert.ok(value.range.end.line <= frame.line - 1);

    const { scopes } = (await session.customRequest('scopes', { frameId: frame.id })) as {
      scopes: Listed[];
    };
    const rowsOf = async (row: Listed | undefined) => {
      const asked = { variablesReference: row?.variablesReference };
      const { variables } = (await session.customRequest('variables', asked)) as {
        variables: Listed[];
      };
      return variables;
    };
    const locals = await rowsOf(scopes[0]);
    assert.ok(
      locals.some(({ value }) => /^(float32|int64)\[[\d, ]+\] cpu/.test(value)),
      JSON.stringify(locals),
    );
    const layers = await rowsOf(scopes.find(({ name }) => name === 'Norm Layers'));
    assert.ok(layers.length > 1, JSON.stringify(scopes));
    assert.match(layers[0]?.value ?? '', /^(LayerNorm|RMSNorm) · σ [\d.]+ → [\d.]+/);
    const [input] = await rowsOf(layers[0]);
    assert.match(input?.value ?? '', /^μ .* σ .* · NaN 0$/);
    assert.ok((await rowsOf(input)).some(({ name }) => name === 'mean'));
  });
});
