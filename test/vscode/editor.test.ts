import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { waitFor } from '../harness/waitFor';
import { DebugWatcher, endEverything, start } from './support/debugging';
import { lineOf } from './support/lines';
import { isOver, normscope, waitForRun } from './support/normscope';
import { example, program, python } from './support/paths';

const COMMANDS = /\(command:([\w.]+)\?/g;
const MAKES_BATCH_NORM = /nn\.BatchNorm1d\(/;

/** Where a word stands in a file; the last one where there are several in the line. */
function placeOf(file: string, line: RegExp, word: string, moved = 0): vscode.Position {
  const at = lineOf(file, line) - 1 + moved;
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file);
  assert.ok(document, `${file} is not open.`);
  return new vscode.Position(at, document.lineAt(at).text.lastIndexOf(word) + 1);
}

async function hoverAt(file: string, position: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    vscode.Uri.file(file),
    position,
  );
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (typeof content === 'string' ? content : content.value))
    .join('\n');
}

const problemsIn = (file: string) =>
  vscode.languages
    .getDiagnostics(vscode.Uri.file(file))
    .filter(({ source }) => source === 'NormScope');
const ruleOf = ({ code }: vscode.Diagnostic) =>
  typeof code === 'object' ? String(code.value) : '';

describe('the editor around norm layers', () => {
  let watcher: DebugWatcher;
  let folder: string;
  let file: string;
  let document: vscode.TextDocument;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'normscope-editor-'));
    file = path.join(folder, 'train.py');
    copyFileSync(program('axis_mistake.py'), file);
    document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    watcher = new DebugWatcher();
    const since = Date.now();
    await start({
      type: 'normscope',
      request: 'launch',
      name: 'axis',
      program: file,
      python,
      console: 'internalConsole',
      env: { STEPS: '120' },
      normscope: { budgetPercent: 0 },
    });
    await waitForRun('the end of the run', since, isOver);
    await watcher.allEnded();
    await waitFor('problems', () => problemsIn(file).length > 0);
  });
  after(async () => {
    await endEverything();
    watcher.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    rmSync(folder, { recursive: true, force: true });
  });

  it('says in a hover what went in and came out of the layers that a line makes', async () => {
    const text = await hoverAt(file, placeOf(file, MAKES_BATCH_NORM, 'BatchNorm1d'));
    assert.match(text, /3 norm layers/);
    for (const block of [0, 1, 2]) assert.ok(text.includes(`blocks\\.${block}\\.norm2`), text);
    assert.match(text, /[\d.]+ → 1\.00/);
    assert.match(text, /Wrong channel axis/);
    assert.match(text, /Transpose the last two axes/);
    const linked = new Set([...text.matchAll(COMMANDS)].map(([, command]) => command));
    assert.deepEqual(linked, new Set(['normscope.showInPanel', 'normscope.showDefinition']));
  });

  it('says it at the call, and nothing beside it', async () => {
    const call = /return self\.norm2\(x\)/;
    assert.match(await hoverAt(file, placeOf(file, call, 'norm2')), /blocks\\.2\\.norm2/);
    assert.equal(await hoverAt(file, placeOf(file, call, 'return')), '');
    const single = await hoverAt(file, placeOf(file, /self\.head\(self\.norm\(x\)\)/, 'norm'));
    assert.match(single, /\*\*norm\*\* · LayerNorm/);
    assert.match(single, /[▁-█]{10,}.* drift: .* over steps 0 to 119/);
  });

  it('measures drift against a step that was chosen, until that is given up', async () => {
    const hover = () => hoverAt(file, placeOf(file, /self\.head\(self\.norm\(x\)\)/, 'norm'));
    const usual = await hover();
    assert.match(usual, /Drift of the input: [\d.]+ \(floor/);
    await vscode.commands.executeCommand('normscope.setReferenceStep', 20);
    assert.match(await hover(), /Drift of the input: [\d.]+ from step 20 \(floor 0\.\d+\)/);
    // Asked by an input box, which offers the newest step.
    const asked = vscode.commands.executeCommand('normscope.setReferenceStep');
    const text = await waitFor('the newest step', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const shown = await hover();
      return shown.includes('from step 119') ? shown : undefined;
    });
    await asked;
    assert.match(text, /Drift of the input: 0 from step 119 /);
    await vscode.commands.executeCommand('normscope.clearReferenceStep');
    assert.equal(await hover(), usual);
  });

  it('offers the panel above each line that makes layers', async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    const ours = lenses.filter(({ command }) => command?.command === 'normscope.showInPanel');
    const lines = [/self\.norm1 = /, MAKES_BATCH_NORM, /self\.norm = /];
    assert.deepEqual(
      ours.map(({ range }) => range.start.line + 1).sort((a, b) => a - b),
      lines.map((line) => lineOf(file, line)).sort((a, b) => a - b),
    );
  });

  it('puts what the rules found into Problems, once for all layers of a line', () => {
    const axis = problemsIn(file).filter((problem) => ruleOf(problem) === 'bn-axis-mistake');
    assert.equal(axis.length, 1);
    const [problem] = axis;
    assert.equal(problem?.range.start.line, lineOf(file, MAKES_BATCH_NORM) - 1);
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Warning);
    assert.match(problem?.message ?? '', /blocks\.0\.norm2 and 2 more/);
    assert.match(problem?.message ?? '', /Transpose the last two axes/);
    const { code } = problem ?? {};
    const target = typeof code === 'object' ? code.target.toString(true) : '';
    assert.match(target, /^command:normscope\.showDefinition\?/);
  });

  it('suggests LayerNorm, and transposing, as changes to be looked at first', async () => {
    const range = new vscode.Range(
      placeOf(file, MAKES_BATCH_NORM, 'BatchNorm1d'),
      placeOf(file, MAKES_BATCH_NORM, 'BatchNorm1d'),
    );
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
    );
    const textOf = (title: RegExp) => {
      const action = actions.find((one) => title.test(one.title));
      const [[, edits] = []] = action?.edit?.entries() ?? [];
      const [edit] = edits ?? [];
      assert.ok(edit, `There is no edit "${title}".`);
      const line = document.lineAt(edit.range.start.line).text;
      const { start: from, end: to } = edit.range;
      return (line.slice(0, from.character) + edit.newText + line.slice(to.character)).trim();
    };
    assert.equal(textOf(/Use LayerNorm/), 'self.norm2 = nn.LayerNorm(WIDTH)');
    assert.equal(textOf(/Transpose/), 'return self.norm2(x.transpose(1, 2)).transpose(1, 2)');
    const titles = actions.map(({ title }) => title);
    for (const title of ['Show in Panel', 'Switch off the rule “Wrong channel axis”']) {
      assert.ok(titles.includes(title), titles.join());
    }
  });

  it('follows edits: what moves, and what is changed', async () => {
    const move = new vscode.WorkspaceEdit();
    move.insert(document.uri, new vscode.Position(0, 0), '# One.\n# Two.\n');
    await vscode.workspace.applyEdit(move);
    const moved = placeOf(file, MAKES_BATCH_NORM, 'BatchNorm1d', 2);
    const text = await hoverAt(file, moved);
    assert.match(text, /3 norm layers/);
    assert.match(text, /The file has changed since this run/);
    await waitFor('the moved problem', () =>
      problemsIn(file).some(({ range }) => range.start.line === moved.line),
    );
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, document.lineAt(moved.line).range, '        self.other = None');
    await vscode.workspace.applyEdit(change);
    assert.equal(await hoverAt(file, moved.translate(0, 2)), '');
    await waitFor('no problem in a line that is gone', () =>
      problemsIn(file).every((problem) => ruleOf(problem) !== 'bn-axis-mistake'),
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await waitFor('the problem again', () =>
      problemsIn(file).some((problem) => ruleOf(problem) === 'bn-axis-mistake'),
    );
  });

  it('takes problems back when their rule is switched off', async () => {
    await vscode.commands.executeCommand('normscope.switchRuleOff', 'bn-axis-mistake');
    const configuration = () => vscode.workspace.getConfiguration('normscope.rules');
    try {
      await waitFor('no such problem', () =>
        problemsIn(file).every((problem) => ruleOf(problem) !== 'bn-axis-mistake'),
      );
      assert.deepEqual(configuration().get('off'), ['bn-axis-mistake']);
    } finally {
      await configuration().update('off', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('turns capture off and on again by its command', async () => {
    const enabled = () => vscode.workspace.getConfiguration('normscope.capture').get('enabled');
    await vscode.commands.executeCommand('normscope.toggleCapture');
    assert.equal(enabled(), false);
    await vscode.commands.executeCommand('normscope.toggleCapture');
    assert.equal(enabled(), true);
  });

  it('clears the problems when the next run begins, and hovers over TensorFlow.js too', async () => {
    const script = example('tfjs', 'train.js');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(script));
    const since = Date.now();
    await start('TF.js (Node)');
    const run = await waitForRun('steps', since, (one) => one.steps > 5 && one.layers > 1);
    await waitFor('no problem of the run before', () => problemsIn(file).length === 0);
    const made = placeOf(script, /batchNormalization\(/, 'batchNormalization');
    const text = await waitFor('the hover', async () => {
      const shown = await hoverAt(script, made);
      return shown.includes('batch') ? shown : undefined;
    });
    assert.match(text, /\*\*batch\\_norm\*\* · BatchNormalization/);
    const layers = (await normscope()).layers(run.id);
    assert.ok(layers.length >= 2);
    await endEverything();
    await watcher.allEnded();
  });
});
