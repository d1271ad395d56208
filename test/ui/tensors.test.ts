import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRoot } from '../../scripts/setup/paths';
import type { NormscopeHost } from '../harness/normscopeHost';
import { openNormscope, type NormscopeSession } from '../harness/normscopeSession';

const TRANSFORMER = inRoot('examples', 'python', 'transformer.py');

describe('tensors in a paused program, as VS Code shows them', { timeout: 240_000 }, () => {
  let session: NormscopeSession;
  let normscope: NormscopeHost;

  beforeAll(async () => {
    session = await openNormscope(inRoot('examples'), { 'debug.inlineValues': 'on' });
    ({ normscope } = session);
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
    await session.picture('tensors-variables');
  });

  it('lines above the stop end with the tensors that they name', async () => {
    const shown = session.page.locator('.monaco-editor .view-line', { hasText: /=\s\w+\d+\[/ });
    await shown.first().waitFor({ timeout: 30_000 });
    await session.picture('tensors-inline');
  });
});
