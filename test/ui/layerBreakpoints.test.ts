import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RULES } from '../../extension/protocol/alerts';
import type { NormscopeHost } from '../harness/normscopeHost';
import { openNormscope, type NormscopeSession } from '../harness/normscopeSession';
import { scratchProgram, type ScratchProgram } from '../harness/scratchProgram';
import { waitFor } from '../harness/waitFor';

const INPUT = 'x = torch.randn(6, WIDTH, WIDTH)';

describe('breakpoints on norm layers, in a program that trains', { timeout: 240_000 }, () => {
  let session: NormscopeSession;
  let normscope: NormscopeHost;
  let program: ScratchProgram;
  const since = Date.now();
  const row = (name: RegExp) =>
    session.page.getByRole('treeitem', { name }).filter({ visible: true }).first();
  const box = (name: RegExp) => row(name).getByRole('checkbox');
  const lens = (name: RegExp) => session.page.getByRole('button', { name });
  const widget = () => session.page.locator('.exception-widget');
  const steps = async () => (await normscope.runs()).at(-1)?.run.steps ?? 0;
  const checked = (name: RegExp, on: boolean) =>
    waitFor(`a box that is ${on ? 'checked' : 'not checked'}`, async () => {
      const state = await box(name).getAttribute('aria-checked');
      return state === String(on);
    });
  /** Twice as many steps as lie between two pictures of the tree. */
  const goesOn = async () => {
    const before = await steps();
    await waitFor('further steps', async () => (await steps()) > before + 60);
  };
  const goOn = async () => {
    const events = await normscope.countEvents('continued');
    await normscope.command('workbench.action.debug.continue');
    await normscope.waitForEvent('continued', events);
  };

  beforeAll(async () => {
    const spoil = `if os.path.exists("spoil"):\n        x[2, 3, 5] = float("nan")`;
    program = await scratchProgram('axis_mistake.py', (text) =>
      text.replace(INPUT, `${INPUT}\n    ${spoil}`),
    );
    session = await openNormscope(program.folder, {
      'normscope.capture.budgetPercent': 0,
      'normscope.rules.off': RULES.filter((rule) => rule !== 'bn-axis-mistake'),
      'debug.openDebug': 'neverOpen',
      'debug.internalConsoleOptions': 'neverOpen',
    });
    ({ normscope } = session);
    await normscope.debugPython(program.file);
    await normscope.waitForRun('steps', since, ({ run }) => run.steps > 20);
    await normscope.command('workbench.view.debug');
    for (const pane of ['Variables', 'Watch', 'Call Stack', 'Breakpoints']) {
      await session.page.getByRole('button', { name: `${pane} Section` }).click();
    }
    await normscope.command('normscope.layers.focus');
    await row(/blocks\.0\.norm2.*Wrong channel axis/).waitFor({ timeout: 60_000 });
  }, 300_000);
  afterAll(async () => {
    await session?.close();
    await program?.remove();
  });

  it('stop at once where a rule speaks of a layer that is checked in the tree, and once', async () => {
    const stops = await normscope.countEvents('stopped');
    await box(/^blocks\.1\.norm2/).click();
    await normscope.waitForEvent('stopped', stops);
    await widget().waitFor();
    const said = await widget().innerText();
    expect(said).toContain('Wrong channel axis');
    expect(said).toContain('blocks.1.norm2: ');
    await session.picture('layer-breakpoint-rule');
    await goOn();
    await goesOn();
    expect(await normscope.countEvents('stopped')).toBe(stops + 1);
    await checked(/^blocks\.1\.norm2/, true);
    await box(/^blocks\.1\.norm2/).click();
    await checked(/^blocks\.1\.norm2/, false);
  });

  it('stay as they are checked while the rows change', async () => {
    for (const on of [true, false, true]) {
      await box(/^blocks\.1\.norm1/).click();
      await goesOn();
      await checked(/^blocks\.1\.norm1/, on);
    }
    await session.picture('layer-breakpoint-tree');
  });

  it('are set and taken away above the line that makes the layers', async () => {
    await session.host.run(async (vscode, file) => {
      const top = new vscode.Range(0, 0, 0, 0);
      await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: top });
    }, program.file);
    await session.page.mouse.move(900, 700);
    await lens(/Break Here on NaN or Alerts/)
      .first()
      .waitFor();
    expect(await lens(/Break Here on NaN or Alerts/).count()).toBe(3);
    // The last line that makes layers makes only one.
    await lens(/Break Here on NaN or Alerts/)
      .last()
      .click();
    await checked(/^norm, LayerNorm/, true);
    await session.picture('layer-breakpoint-lens');
    await lens(/Do Not Break Here/).click();
    await checked(/^norm, LayerNorm/, false);
  });

  it('stop in the code that calls the layer, at the NaN that comes to it', async () => {
    const stops = await normscope.countEvents('stopped');
    await writeFile(path.join(program.folder, 'spoil'), '');
    await normscope.waitForEvent('stopped', stops);
    await widget().waitFor();
    expect(await widget().innerText()).toMatch(/blocks\.1\.norm1: [\d,]+ NaN among 1,536 values/);
    await session.picture('layer-breakpoint-nan');
  });

  it('are taken away all at once, with effect in the running program', async () => {
    const stops = await normscope.countEvents('stopped');
    await normscope.command('normscope.removeTensorBreakpoints');
    await checked(/^blocks\.1\.norm1/, false);
    await goOn();
    await goesOn();
    expect(await normscope.countEvents('stopped')).toBe(stops);
  });
});
