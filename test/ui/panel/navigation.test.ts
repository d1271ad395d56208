import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';
import { figure, layerTitle, readNumber } from './harness/texts';

const NAMES = ['embed', 'blocks.0.norm1', 'blocks.0.norm2', 'blocks.1.norm1', 'final_norm'];

/** Layer i has the mean 10 · (i + 1), so that a figure says whose it is. */
const centre = (index: number) => 10 * (index + 1);

function filled(store: RunStore, names: readonly string[]) {
  const run = new KnownRun(
    store,
    names.map((name, i) => layerInfo(i, name)),
  );
  for (let step = 0; step < 5; step++) {
    run.step(
      step,
      names.map((_, i) => ({ pre: drawn(i, 6, 8, centre(i), 0.1), post: drawn(i, 6, 8, 0, 1) })),
    );
  }
  return run;
}

describe('choosing a layer', () => {
  let browser: Browser;
  let panel: PanelPage;
  let store: RunStore;

  const open = async (names: readonly string[] = NAMES) => {
    store = new RunStore();
    const run = filled(store, names);
    const { source, focused } = sourceOf(store);
    panel = await openPanel(browser, source);
    await layerTitle(panel.page).waitFor();
    return { run, focused };
  };
  const shows = async (name: string) => {
    await panel.page.locator('.layer-head h2', { hasText: name }).waitFor();
    const mean = readNumber(await figure(panel.page, 'mean', 'pre'));
    expect(mean).toBeCloseTo(centre(NAMES.indexOf(name)), 0);
    const chosen = panel.page.locator('[role="option"][aria-selected="true"]');
    expect(await chosen.count()).toBe(1);
    expect(await chosen.getAttribute('aria-label')).toContain(name);
  };

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    expect(panel.complaints).toEqual([]);
    await panel.close();
    store.dispose();
  });
  afterAll(() => browser.close());

  it('lists the layers in model order and shows the first', async () => {
    await open();
    const names = await panel.page.locator('.row .name').allInnerTexts();
    expect(names.map((name) => name.replaceAll(/\s/g, ''))).toEqual(NAMES);
    await shows('embed');
  });

  it('by a click changes title and figures', async () => {
    await open();
    await panel.page.getByRole('option').nth(3).click();
    await shows('blocks.1.norm1');
  });

  it('by arrows, Home and End', async () => {
    await open();
    await panel.page.getByRole('listbox').focus();
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('ArrowDown');
    await shows('blocks.0.norm2');
    await panel.page.keyboard.press('ArrowUp');
    await shows('blocks.0.norm1');
    await panel.page.keyboard.press('End');
    await shows('final_norm');
    await panel.page.keyboard.press('ArrowDown');
    await shows('final_norm');
    await panel.page.keyboard.press('Home');
    await shows('embed');
  });

  it('by typing the beginning of its name or of its last part', async () => {
    await open();
    await panel.page.getByRole('listbox').focus();
    await panel.page.keyboard.type('fi');
    await shows('final_norm');
    await panel.page.waitForTimeout(800);
    await panel.page.keyboard.type('norm2');
    await shows('blocks.0.norm2');
  });

  it('tells two layers of one name apart', async () => {
    await open(['twin', 'twin', 'other']);
    const mean = async () => readNumber(await figure(panel.page, 'mean', 'pre'));
    const chosen = panel.page.locator('[role="option"][aria-selected="true"]');
    await panel.page.getByRole('option').nth(1).click();
    await expect.poll(mean).toBeCloseTo(centre(1), 0);
    expect(await chosen.getAttribute('aria-posinset')).toBe('2');
    await panel.page.getByRole('listbox').focus();
    await panel.page.keyboard.press('ArrowUp');
    await expect.poll(mean).toBeCloseTo(centre(0), 0);
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('ArrowDown');
    await expect.poll(mean).toBeCloseTo(centre(2), 0);
    // After a reload only the name is known.
    await expect.poll(async () => (await panel.state())?.layerName).toBe('other');
    await panel.reload();
    await panel.page.locator('.layer-head h2', { hasText: 'other' }).waitFor();
  });

  it('goes on with the next layer of the name when a layer is gone', async () => {
    const { run } = await open(['first', 'norm']);
    await panel.page.getByRole('option').nth(1).click();
    await panel.page.locator('.layer-head h2', { hasText: 'norm' }).waitFor();
    run.layers([layerInfo(5, 'fresh'), layerInfo(6, 'norm')]);
    run.step(5, [{ pre: drawn(1, 6, 8, 70, 0.1) }, { pre: drawn(2, 6, 8, 80, 0.1) }]);
    await expect
      .poll(async () => readNumber(await figure(panel.page, 'mean', 'pre')))
      .toBeCloseTo(80, 0);
    const chosen = panel.page.locator('[role="option"][aria-selected="true"]');
    expect(await chosen.getAttribute('aria-posinset')).toBe('2');
  });

  it('tells the host which layer is looked at', async () => {
    const { run, focused } = await open();
    await panel.page.getByRole('option').nth(2).click();
    await shows('blocks.0.norm2');
    expect(focused.at(0)).toEqual({ run: run.id, layers: [run.layer('embed')] });
    expect(focused.at(-1)).toEqual({ run: run.id, layers: [run.layer('blocks.0.norm2')] });
  });

  it('follows a choice made in the editor', async () => {
    const { run } = await open();
    panel.session.select(run.id, run.layer('final_norm'));
    await shows('final_norm');
  });

  it('opens the lines where the layer is constructed and called', async () => {
    await open();
    await panel.page.getByRole('button', { name: 'model.py:42' }).click();
    await panel.page.getByRole('button', { name: 'model.py:57' }).click();
    await expect
      .poll(() => panel.revealed)
      .toEqual([
        { file: '/home/ada/project/model.py', line: 42 },
        { file: '/home/ada/project/model.py', line: 57 },
      ]);
  });

  it('offers a filter for a long list only', async () => {
    await open();
    expect(await panel.page.locator('.layers vscode-text-field').count()).toBe(0);
    await panel.close();
    store.dispose();
    await open(Array.from({ length: 40 }, (_, i) => `blocks.${i}.norm`));
    await panel.page.locator('.layers vscode-text-field').click();
    await panel.page.keyboard.type('.3');
    const left = panel.page.locator('.row .name');
    await expect.poll(() => left.count()).toBe(11);
    await panel.page.keyboard.type('nothing');
    await expect.poll(() => left.count()).toBe(0);
    expect(await panel.page.locator('.layers').innerText()).toContain('No layer has this');
  });

  it('keeps thousands of layers quick: only the rows in sight are in the page', async () => {
    await open(Array.from({ length: 1_000 }, (_, i) => `blocks.${i}.norm`));
    expect(await panel.page.getByRole('option').count()).toBeLessThan(80);
    await panel.page.getByRole('listbox').focus();
    await panel.page.keyboard.press('End');
    await panel.page.locator('.layer-head h2', { hasText: 'blocks.999.norm' }).waitFor();
    const last = panel.page.locator('[role="option"][aria-posinset="1000"]');
    expect(await last.getAttribute('aria-selected')).toBe('true');
    expect(await last.isVisible()).toBe(true);
  });
});
