import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpBrowser } from '../../scripts/setup/browser';
import { inCache, inRoot, root } from '../../scripts/setup/paths';
import { setUpPython } from '../../scripts/setup/pythonEnvironment';
import { setUpVscodeServer } from '../../scripts/setup/vscodeServer';
import { NormscopeHost } from '../harness/normscopeHost';
import { openVscode, type VscodeSession } from '../harness/vscodeSession';

const ARTIFACTS = inRoot('test', 'artifacts', 'ui');
const TRANSFORMER = inRoot('examples', 'python', 'transformer.py');
const quiet = () => undefined;

describe('tensors in a paused program, as VS Code shows them', { timeout: 240_000 }, () => {
  let session: VscodeSession;
  let normscope: NormscopeHost;
  const screenshot = (name: string) => session.screenshot(path.join(ARTIFACTS, `${name}.png`));

  beforeAll(async () => {
    const { python } = await setUpPython(quiet);
    session = await openVscode({
      files: await setUpVscodeServer(inCache('vscode'), quiet),
      browser: await setUpBrowser(quiet),
      folder: inRoot('examples'),
      developmentPath: root,
      settings: { 'python.defaultInterpreterPath': python, 'debug.inlineValues': 'on' },
    });
    normscope = new NormscopeHost(session.host);
    const lines = readFileSync(TRANSFORMER, 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes('optimizer.step(')) + 1;
    await normscope.breakAt(TRANSFORMER, line);
    const stops = await normscope.countEvents('stopped');
    await normscope.startDebugging('Transformer (PyTorch)');
    await normscope.waitForEvent('stopped', stops);
    await normscope.command('workbench.action.debug.continue');
    await normscope.waitForEvent('stopped', stops + 1);
    await normscope.command('workbench.debug.action.focusVariablesView');
  }, 300_000);
  afterAll(() => session?.close());

  it('Variables has them shape first, and the norm layers below', async () => {
    const row = session.page.locator('.debug-variables .monaco-list-row', { hasText: /\[\d/ });
    await row.first().waitFor({ timeout: 60_000 });
    const tensors = await row.allInnerTexts();
    expect(tensors.some((text) => /(float32|int64)\[[\d, ]+\] cpu/.test(text))).toBe(true);
    const scope = session.page.locator('.debug-variables .monaco-list-row', {
      hasText: 'Norm Layers',
    });
    await scope.click();
    const layer = session.page.locator('.debug-variables .monaco-list-row', {
      hasText: /LayerNorm · σ/,
    });
    await layer.first().waitFor({ timeout: 30_000 });
    await screenshot('tensors-variables');
  });

  it('lines above the stop end with the tensors that they name', async () => {
    const shown = session.page.locator('.monaco-editor .view-line', { hasText: /=\s\w+\d+\[/ });
    await shown.first().waitFor({ timeout: 30_000 });
    await screenshot('tensors-inline');
  });
});
