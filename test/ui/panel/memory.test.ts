import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { INITIAL_PANEL_STATE } from '../../../extension/protocol/panelState';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';
import { layerTitle } from './harness/texts';

describe('what the panel remembers', () => {
  let browser: Browser;
  let panel: PanelPage;
  let store: RunStore;

  const runOf = (id: string, names: readonly string[], startedAt: number) => {
    const run = new KnownRun(
      store,
      names.map((name, i) => layerInfo(i, name)),
      { id, program: `${id}.py`, startedAt },
    );
    for (let step = 0; step < 8; step++) {
      run.step(
        step,
        names.map((_, i) => ({ pre: drawn(i, 6, 8, i, 1), post: drawn(i, 6, 8, 0, 1) })),
      );
    }
    return run;
  };
  const title = (name: string) => panel.page.locator('.layer-head h2', { hasText: name }).waitFor();
  const step = (number: number) =>
    expect.poll(() => panel.page.locator('#figures-title').innerText()).toBe(`Step ${number}`);
  const chooser = () => panel.page.locator('vscode-dropdown');
  const shownRun = () =>
    chooser().evaluate((element) => (element as HTMLElement & { value: string }).value);

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  beforeEach(() => {
    store = new RunStore();
  });
  afterEach(async () => {
    expect(panel.complaints).toEqual([]);
    await panel.close();
    store.dispose();
  });
  afterAll(() => browser.close());

  it('survives the page: run, layer and step', async () => {
    runOf('old', ['a', 'b'], 1_000);
    runOf('new', ['c'], 2_000);
    panel = await openPanel(browser, sourceOf(store).source);
    await title('c');
    await chooser().click();
    await panel.page.getByRole('option', { name: 'old.py' }).click();
    await title('a');
    await panel.page.locator('.row').nth(1).click();
    await title('b');
    await panel.page.getByRole('slider').focus();
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.press('ArrowRight');
    await step(1);
    await panel.reload();
    await title('b');
    await step(1);
    expect(await shownRun()).toBe('old');
    expect(await panel.state()).toEqual({
      ...INITIAL_PANEL_STATE,
      run: 'old',
      layerName: 'b',
      step: 1,
      section: 'layer',
    });
  });

  it('gives way to the newest run when its run is gone, and keeps the layer by name', async () => {
    store.dispose();
    store = new RunStore({ maxRuns: 1 });
    const old = runOf('old', ['x', 'shared'], 1_000);
    panel = await openPanel(browser, sourceOf(store).source);
    await title('x');
    await panel.page.locator('.row').nth(1).click();
    await title('shared');
    store.update(old.run, { phase: 'ended' });
    runOf('next', ['p', 'q', 'shared'], 3_000);
    await panel.reload();
    await title('shared');
    await expect.poll(async () => (await panel.state())?.run).toBe('next');
    await step(7);
  });

  it('moves on to a run that starts later, unless an older one was chosen', async () => {
    runOf('first', ['a'], 1_000);
    panel = await openPanel(browser, sourceOf(store).source);
    await title('a');
    runOf('second', ['b'], 2_000);
    await title('b');
    await expect.poll(shownRun).toBe('second');
    await chooser().click();
    await panel.page.getByRole('option', { name: 'first.py' }).click();
    await title('a');
    runOf('third', ['c'], 3_000);
    await expect.poll(() => panel.page.locator('vscode-option').count()).toBe(3);
    await title('a');
    expect(await shownRun()).toBe('first');
  });

  it('is ignored when it is not a state of this version', async () => {
    runOf('only', ['a'], 1_000);
    panel = await openPanel(browser, sourceOf(store).source);
    await layerTitle(panel.page).waitFor();
    await panel.page.evaluate(() =>
      sessionStorage.setItem('vscode-state', JSON.stringify({ version: 7, run: 4, step: 'soon' })),
    );
    await panel.reload();
    await panel.page.getByRole('button', { name: 'Layer', exact: true }).click();
    await title('a');
    await step(7);
  });
});
