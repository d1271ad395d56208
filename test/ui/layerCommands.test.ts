import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NormscopeHost } from '../harness/normscopeHost';
import { openNormscope, type NormscopeSession } from '../harness/normscopeSession';
import { hasPanel } from '../harness/panelFrame';
import { scratchProgram, type ScratchProgram } from '../harness/scratchProgram';
import { waitFor } from '../harness/waitFor';

describe('commands for norm layers, in a program that trains', { timeout: 100_000 }, () => {
  let session: NormscopeSession;
  let normscope: NormscopeHost;
  let program: ScratchProgram;
  const since = Date.now();
  /** A message, in the list of all. */
  const notice = async (said: RegExp) => {
    const found = session.page.locator('.notification-list-item').filter({ hasText: said }).first();
    await waitFor(`the message ${said}`, async () => {
      if (await found.isVisible()) return true;
      await normscope.command('notifications.showList');
      return false;
    });
    return found;
  };
  const closeNotices = () => normscope.command('notifications.clearAll');
  const clipboard = () => session.page.evaluate(() => navigator.clipboard.readText());
  /** Puts the cursor into the program, or selects the last occurrence of a text in a line. */
  const select = (line: string, part: string, isCursor = false) =>
    session.host.run(
      async (vscode, at) => {
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(at.file), {
          viewColumn: vscode.ViewColumn.One,
        });
        const lines = editor.document.getText().split('\n');
        const number = lines.findIndex((one) => one.includes(at.line));
        const column = (lines[number] ?? '').lastIndexOf(at.part);
        const from = new vscode.Position(number, column);
        const to = new vscode.Position(number, column + (at.isCursor ? 0 : at.part.length));
        editor.selection = new vscode.Selection(from, to);
      },
      { file: program.file, line, part, isCursor },
    );

  /** Writes a line at the beginning of the program, and selects it. */
  const write = async (line: string) => {
    await select('import torch', 'torch');
    await session.host.run((vscode, text) => {
      const editor = vscode.window.activeTextEditor;
      return editor?.edit((edit) => edit.insert(new vscode.Position(0, 0), `${text}\n`));
    }, line);
    await select(line, line);
  };

  beforeAll(async () => {
    program = await scratchProgram('axis_mistake.py');
    session = await openNormscope(program.folder, {
      'normscope.capture.budgetPercent': 0,
      'debug.openDebug': 'neverOpen',
      'debug.internalConsoleOptions': 'neverOpen',
    });
    ({ normscope } = session);
    await session.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await normscope.debugPython(program.file);
    await normscope.waitForRun('steps', since, ({ run }) => run.steps > 20);
  }, 300_000);
  afterAll(async () => {
    await session?.close();
    await program?.remove();
  });

  it('copy the statistics of the layer at the cursor as a table', async () => {
    await select('self.norm = ', 'norm', true);
    await session.page
      .getByRole('button', { name: /Break Here/ })
      .first()
      .waitFor();
    await normscope.command('normscope.copyStatistics');
    const table = await waitFor('the table', async () => {
      const copied = await clipboard();
      return copied.startsWith('`norm` (`LayerNorm`) at step ') ? copied : undefined;
    });
    const rows = table.split('\n').filter((line) => line.startsWith('| '));
    expect(rows.map((row) => row.split(' | ')[0])).toEqual(
      ['|', ':--', 'input', 'output', 'dL/dy', 'dL/dx'].map((one, i) =>
        i === 0 ? '| ' : `| ${one}`,
      ),
    );
    // 6 samples of 16 rows of 16 values.
    expect(rows[2]).toMatch(/^\| input \| 1536 \|/);
  });

  it('capture the layers of a line in depth once, and show them in the panel', async () => {
    await select('self.norm1 = ', 'norm1', true);
    await normscope.command('normscope.captureNow');
    const said = await notice(/3 layers were captured in depth, at steps \d+ to \d+\./);
    await session.picture('capture-now');
    await said.getByRole('button', { name: 'Show in Panel' }).click();
    await waitFor('the panel', () => hasPanel(session.page));
    await normscope.command('workbench.action.closeEditorsInOtherGroups');
    await closeNotices();
  });

  it('capture all layers in depth where the cursor is at none', async () => {
    await select('import torch', 'import', true);
    await normscope.command('normscope.captureNow');
    await notice(/7 layers were captured in depth/);
    await closeNotices();
  });

  it('show the figures of what is selected while the program is paused', async () => {
    const stops = await normscope.countEvents('stopped');
    const at =
      program.text.split('\n').findIndex((line) => line.includes('return self.norm2(x)')) + 1;
    await normscope.breakAt(program.file, at);
    await normscope.waitForEvent('stopped', stops);
    await waitFor('the frame', () =>
      session.host.run(
        (vscode) => vscode.debug.activeStackItem instanceof vscode.DebugStackFrame,
        null,
      ),
    );
    await select('return self.norm2(x)', 'x');
    await normscope.command('normscope.showSelectionStatistics');
    await notice(/x = float32\[6, 16, 16\] .*μ .*σ /);
    await session.picture('selection-statistics');
    await closeNotices();
    // The name that the cursor is in, with what is before its dot.
    await select('return self.norm2(x)', 'norm2', true);
    await normscope.command('normscope.showSelectionStatistics');
    await notice(/self\.norm2 is no tensor but BatchNorm1d: select/);
    await closeNotices();
  });

  it('run code of the program only when that was said', async () => {
    await select('x = x + torch.relu(', 'torch.relu(self.linear(self.norm1(x)))');
    // It goes on until the question is answered.
    await session.host.run((vscode) => {
      void vscode.commands.executeCommand('normscope.showSelectionStatistics');
    }, null);
    const asked = await notice(/may run code of the program/);
    await session.picture('selection-asks');
    await asked.getByRole('button', { name: 'Evaluate' }).click();
    await notice(/torch\.relu\(.*\) = float32\[6, 16, 16\]/);
    await closeNotices();
    // Not asked again.
    await normscope.command('normscope.showSelectionStatistics');
    await notice(/torch\.relu\(.*\) = float32\[6, 16, 16\]/);
    await closeNotices();
  });

  it('index tensors and plain containers, and ask before anything else is', async () => {
    await write('x[0, :, 2]');
    await normscope.command('normscope.showSelectionStatistics');
    await notice(/x\[0, :, 2\] = float32\[16\]/);
    await closeNotices();
    await write("self._parameters['none']");
    await normscope.command('normscope.showSelectionStatistics');
    await notice(/self\._parameters\['none'\] has no value in this frame: .*KeyError/);
    await closeNotices();
    // A module list, whose own code finds the module.
    await write('model.blocks[0].norm1.weight[0]');
    await session.host.run((vscode) => {
      void vscode.commands.executeCommand('normscope.showSelectionStatistics');
    }, null);
    const asked = await notice(/model\.blocks\[0\]\.norm1\.weight\[0\] may run code/);
    await asked.getByRole('button', { name: 'Evaluate' }).click();
    await notice(/model\.blocks\[0\]\.norm1\.weight\[0\] = float32\[\]/);
    await closeNotices();
  });

  it('say why there is nothing to show', async () => {
    await write('no_such_name');
    await normscope.command('normscope.showSelectionStatistics');
    await notice(/no_such_name has no value in this frame: .*not defined/);
    await normscope.command('workbench.action.files.revert');
  });
});
