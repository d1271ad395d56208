import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NormscopeHost } from '../harness/normscopeHost';
import { PanelPage } from '../harness/panelPage';
import { openNormscope, type NormscopeSession } from '../harness/normscopeSession';
import { scratchProgram, type ScratchProgram } from '../harness/scratchProgram';
import { waitFor } from '../harness/waitFor';

const lineOf = (text: string, part: string) =>
  text.split('\n').findIndex((line) => line.includes(part)) + 1;

describe('the editor around norm layers, on a run with a wrong axis', { timeout: 240_000 }, () => {
  let session: NormscopeSession;
  let normscope: NormscopeHost;
  let program: ScratchProgram;
  const since = Date.now();
  const row = (name: RegExp) =>
    session.page.getByRole('treeitem', { name }).filter({ visible: true }).first();

  beforeAll(async () => {
    program = await scratchProgram('axis_mistake.py');
    session = await openNormscope(program.folder, {
      'normscope.capture.budgetPercent': 0,
      'debug.openDebug': 'neverOpen',
      'debug.internalConsoleOptions': 'neverOpen',
    });
    ({ normscope } = session);
  }, 300_000);
  afterAll(async () => {
    await session?.close();
    await program?.remove();
  });

  it('says what to do while there is no run', async () => {
    await normscope.command('normscope.layers.focus');
    const button = session.page.getByRole('button', { name: 'Debug Current File' });
    await button.waitFor({ timeout: 60_000 });
    await session.picture('editor-welcome');
  });

  it('lists the layers by module with their figures, and what the rules found', async () => {
    await normscope.debugPython(program.file, { STEPS: '4000' });
    await normscope.waitForRun('steps', since, ({ run }) => run.steps > 20);
    // Room for the tree.
    for (const pane of ['Variables', 'Watch', 'Call Stack', 'Breakpoints']) {
      await session.page.getByRole('button', { name: `${pane} Section` }).click();
    }
    await normscope.command('normscope.layers.focus');
    await row(/blocks\.0\.norm2.*Wrong channel axis/).waitFor({ timeout: 60_000 });
    expect(await row(/^blocks\.0\.norm1, LayerNorm, σ [\d.]+ → [\d.]+/).count()).toBe(1);
    expect(await row(/^norm, LayerNorm/).count()).toBe(1);
    await session.picture('editor-tree');
  });

  // While rows change, VS Code loses what a row's command is given.
  it('opens the panel on each layer that is clicked in the tree', async () => {
    for (const name of ['blocks.0.norm1', 'blocks.1.norm1', 'blocks.2.norm1']) {
      await normscope.command('normscope.layers.focus');
      await row(new RegExp(`^${name}, LayerNorm`)).click();
      const panel = await PanelPage.find(session.page);
      await waitFor(`the layer ${name}`, async () => (await panel.chosen()) === name);
    }
    await session.picture('editor-to-panel');
    await session.host.run(
      (vscode) =>
        vscode.window.tabGroups.close(
          vscode.window.tabGroups.all
            .flatMap(({ tabs }) => tabs)
            .filter(({ input }) => input instanceof vscode.TabInputWebview),
        ),
      null,
    );
  });

  it('annotates the lines that make norm layers', async () => {
    await normscope.command('workbench.action.focusActiveEditorGroup');
    const shown = () =>
      session.page.evaluate(() =>
        [...document.querySelectorAll('.view-line span')].map(
          (span) => getComputedStyle(span, '::after').content,
        ),
      );
    const annotations = await waitFor('the annotations', async () => {
      const found = (await shown()).filter((content) => content.includes('σ'));
      return found.length >= 3 ? found : undefined;
    });
    expect(annotations.some((one) => /3 layers · σ [\d.]+→[\d.]+ · drift/.test(one))).toBe(true);
    expect(annotations.some((one) => one.includes('Wrong channel axis'))).toBe(true);
    await session.page
      .getByRole('button', { name: /Show One of 3 in Panel/ })
      .first()
      .waitFor();
    await session.picture('editor-annotations');
  });

  it('shows before and after in a hover', async () => {
    await session.host.run(
      async (vscode, { file, line }) => {
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
        const column = editor.document.lineAt(line - 1).text.indexOf('norm2') + 2;
        const at = new vscode.Position(line - 1, column);
        editor.selection = new vscode.Selection(at, at);
        await vscode.commands.executeCommand('editor.action.showHover');
      },
      { file: program.file, line: lineOf(program.text, 'return self.norm2(x)') },
    );
    const hover = session.page.locator('.monaco-hover').filter({ hasText: 'norm layers' });
    await hover.waitFor({ timeout: 30_000 });
    expect(await hover.innerText()).toContain('blocks.2.norm2');
    expect(await hover.innerText()).toContain('Wrong channel axis');
    await session.picture('editor-hover');
    await session.page.keyboard.press('Escape');
  });

  it('lists what the rules found in Problems, with a link to the definition', async () => {
    await normscope.command('workbench.actions.view.problems');
    const problem = session.page.getByText(/Wrong channel axis \(blocks\.0\.norm2 and 2 more\)/);
    await problem.first().waitFor({ timeout: 30_000 });
    await session.picture('editor-problems');
    await session.page
      .getByText('bn-axis-mistake')
      .first()
      .click({ modifiers: ['ControlOrMeta'] });
    await waitFor('the definitions', async () =>
      session.host.run(
        (vscode) =>
          vscode.window.tabGroups.all
            .flatMap((group) => group.tabs)
            .some((tab) => tab.label.includes('definitions')),
        null,
      ),
    );
    await session.picture('editor-definition');
  });

  it('says in the status bar how capture stands', async () => {
    const item = session.page.locator('.statusbar-item', { hasText: 'Norms:' });
    expect(await item.innerText()).toMatch(/Norms: (running|ended)/);
    await item.click();
    await session.page.getByText('Go to Next Alert').first().waitFor();
    await session.picture('editor-status');
    await session.page.keyboard.press('Escape');
  });
});
