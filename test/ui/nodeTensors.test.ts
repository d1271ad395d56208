import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { inRoot } from '../../scripts/setup/paths';
import type { NormscopeHost } from '../harness/normscopeHost';
import { openNormscope, type NormscopeSession } from '../harness/normscopeSession';
import { waitFor } from '../harness/waitFor';

const PROGRAM = inRoot('test', 'agents', 'node', 'programs', 'plants.cjs');
const PLANTED = 1000;
/** Expressions, and what is said of them where its training loop is paused. */
const SELECTED = [
  ['cost', /cost = float32\[\] · [\d.]+/],
  ['first.gamma.val', /first\.gamma\.val = float32\[6\] Variable · /],
  ['optimizer', /optimizer shows no tensor here: debug with norm capture, and pause/],
] as const;

describe('TF.js tensors in VS Code', { timeout: 240_000 }, () => {
  let session: NormscopeSession;
  let normscope: NormscopeHost;

  beforeAll(async () => {
    session = await openNormscope(path.dirname(PROGRAM), { 'normscope.capture.budgetPercent': 0 });
    ({ normscope } = session);
  }, 300_000);
  afterAll(() => session?.close());

  /** What Show Statistics of Selection says of an expression. */
  const showsOf = async (expression: string, said: RegExp) => {
    await session.host.run(async (vscode, content) => {
      const document = await vscode.workspace.openTextDocument({ language: 'javascript', content });
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(0, 0, 0, content.length);
    }, expression);
    await normscope.command('normscope.showSelectionStatistics');
    const items = session.page.locator('.notifications-center .notification-list-item');
    await waitFor(`the message ${said}`, async () => {
      // Without any message the list does not open.
      await normscope.command('notifications.showList');
      return items.filter({ hasText: said }).first().isVisible();
    });
    await normscope.command('notifications.clearAll');
    await normscope.command('workbench.action.revertAndCloseActiveEditor');
  };

  const go = async () => {
    const stops = await normscope.countEvents('stopped');
    await normscope.command('workbench.action.debug.continue');
    await normscope.waitForEvent('stopped', stops);
  };

  it('read shape first in Variables, and a stop says what the layer saw', async () => {
    const lines = (await readFile(PROGRAM, 'utf8')).split('\n');
    await normscope.breakAt(PROGRAM, lines.findIndex((line) => /LINE behind min/.test(line)) + 1);
    await normscope.command('workbench.view.debug');
    const [since, stops] = [Date.now(), await normscope.countEvents('stopped')];
    await session.host.run(
      (vscode, { program, args }) =>
        vscode.debug.startDebugging(undefined, {
          type: 'node',
          request: 'launch',
          name: 'Planted',
          program,
          args,
          normscope: true,
        }),
      { program: PROGRAM, args: ['forward', String(PLANTED), '1200'] },
    );
    await normscope.waitForEvent('stopped', stops);
    const rows = session.page.locator('.debug-variables .monaco-list-row');
    const scope = rows.filter({ hasText: 'Block' }).first();
    await waitFor('the tensor in Variables', async () => {
      const shown = (await rows.allTextContents()).map((text) => text.replaceAll('\u00a0', ' '));
      if (shown.some((text) => /cost.*float32\[\]\s·\s[\d.]+/.test(text))) return true;
      // VS Code does not always open the first scope by itself.
      const closed = shown.length > 0 && (await scope.getAttribute('aria-expanded')) === 'false';
      if (closed) await scope.click();
      return false;
    });
    await session.picture('node-tensors');
    for (const [name, said] of SELECTED) await showsOf(name, said);
    await go();
    const { run, layers } = await normscope.waitForRun('a step', since, (one) => one.run.steps > 0);
    const layer = layers.find(({ name }) => name === 'second');
    const target = { run: run.id, layers: [layer?.id] };
    await normscope.command('normscope.addTensorBreakpoint', target);
    await normscope.clearBreakpoints();
    await go();
    const widget = session.page.locator('.exception-widget');
    await widget.waitFor({ timeout: 90_000 });
    await session.picture('node-tensor-breakpoint');
    const text = await widget.innerText();
    expect(text).toContain('NaN or infinite values');
    expect(text).toContain('second: 1 NaN, 1 +Inf among 24 values of its input at step 1,000.');
    // VS Code shows no toasts while a test drives it.
    await normscope.command('notifications.showList');
    const told = session.page.locator('.notifications-center .notification-list-item', {
      hasText: 'second: 1 NaN',
    });
    await told.getByText('Show in Panel').waitFor({ timeout: 20_000 });
    await session.picture('node-tensor-breakpoint');
    await normscope.command('normscope.removeTensorBreakpoints');
    await normscope.command('workbench.action.debug.stop');
  });
});
