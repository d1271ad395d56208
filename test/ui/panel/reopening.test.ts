import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { panelMemory } from '../../../extension/views/panel/panelMemory';
import { INITIAL_PANEL_STATE } from '../../../extension/protocol/panelState';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';

describe('a panel that was closed and is opened again', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('shows the run, layer and step it showed before', async () => {
    const store = new RunStore();
    for (const [at, id] of ['old', 'new'].entries()) {
      const layers = ['a', 'b', 'c'].map((name, i) => layerInfo(i, name));
      const run = new KnownRun(store, layers, { id, program: `${id}.py`, startedAt: 1_000 + at });
      for (let step = 0; step < 8; step++) {
        run.step(
          step,
          layers.map((_, i) => ({ pre: drawn(i, 6, 8, i, 1), post: drawn(i, 6, 8, 0, 1) })),
        );
      }
    }
    const kept = new Map<string, unknown>();
    const storage = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) =>
        void kept.set(key, JSON.parse(JSON.stringify(value))),
    };
    const memory = panelMemory(storage, () => store.runs());
    const open = () => openPanel(browser, sourceOf(store).source, { memory });
    const title = (panel: PanelPage, name: string) =>
      panel.page.locator('.layer-head h2', { hasText: name }).waitFor();
    const step = (panel: PanelPage, number: number) =>
      expect.poll(() => panel.page.locator('#figures-title').innerText()).toBe(`Step ${number}`);

    const closed = await open();
    await title(closed, 'a');
    await closed.page.locator('vscode-dropdown').click();
    await closed.page.getByRole('option', { name: 'old.py' }).click();
    await closed.page.locator('.row').nth(1).click();
    await title(closed, 'b');
    await closed.page.getByRole('slider').focus();
    await closed.page.keyboard.press('Home');
    await closed.page.keyboard.press('ArrowRight');
    await step(closed, 1);
    await closed.close();

    const opened = await open();
    await title(opened, 'b');
    await step(opened, 1);
    expect(await opened.state()).toEqual({
      ...INITIAL_PANEL_STATE,
      run: 'old',
      layerName: 'b',
      step: 1,
      section: 'layer',
    });
    expect([...closed.complaints, ...opened.complaints]).toEqual([]);
    await opened.close();
    store.dispose();
  }, 60_000);
});
