import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';
import { layerTitle } from './harness/texts';

const STEPS = 240;

/** Mean of step s before the norm. */
const meanOf = (values: readonly (readonly number[])[]): number => {
  const all = values.flat();
  return all.reduce((sum, value) => sum + value, 0) / all.length;
};
declare global {
  interface Window {
    copiedTypes: string[];
  }
}

/** In the page: a clipboard that takes pictures, as webviews have one and pages of this origin have none. */
function openClipboard(): void {
  window.copiedTypes = [];
  class Item {
    constructor(readonly parts: Record<string, Promise<Blob>>) {}
  }
  const write = async ([item]: readonly Item[]) => {
    for (const part of Object.values(item?.parts ?? {})) {
      window.copiedTypes.push((await part).type);
    }
  };
  Object.assign(window, { ClipboardItem: Item });
  Object.defineProperty(navigator, 'clipboard', { value: { write } });
}

const before = (step: number) => drawn(step, 6, 8, step + 1, 0.01);

describe('what a person can do with a chart', () => {
  let browser: Browser;
  let panel: PanelPage;
  let store: RunStore;

  const chart = (title = 'Activation mean'): Locator =>
    panel.page.locator('figure[data-chart]', {
      has: panel.page.getByRole('heading', { name: title, exact: true }),
    });
  const menuButton = (title?: string) => chart(title).locator('.figure-tools [aria-haspopup]');
  const choose = async (item: string) => {
    await menuButton().click();
    await panel.page.getByRole('menuitem', { name: item }).click();
  };
  const zoomWords = () => panel.page.locator('.zoom-notice').innerText();

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    store = new RunStore();
    const run = new KnownRun(store, [layerInfo(0, 'norm')], { program: 'train.py' });
    for (let step = 0; step < STEPS; step++) {
      run.step(step, [{ pre: before(step), post: drawn(step, 6, 8, 0, 1) }]);
    }
    panel = await openPanel(browser, sourceOf(store).source);
    await layerTitle(panel.page).waitFor();
    await chart().scrollIntoViewIfNeeded();
  });
  afterEach(async () => {
    expect(panel.complaints).toEqual([]);
    await panel.close();
    store.dispose();
  });
  afterAll(() => browser.close());

  it('copy its figures as CSV: the numbers of every step', async () => {
    await choose('Copy as CSV');
    await expect.poll(() => panel.copied.length).toBe(1);
    const [header, ...rows] = (panel.copied[0] ?? '').trimEnd().split('\r\n');
    expect(header).toBe('"step","before","after"');
    expect(rows).toHaveLength(STEPS);
    for (const step of [0, 100, STEPS - 1]) {
      const [at, mean] = (rows[step] ?? '').split(',').map(Number);
      expect(at).toBe(step);
      expect(mean).toBeCloseTo(meanOf(before(step)), 4);
    }
    expect(await chart().locator('.said').innerText()).toBe('CSV copied');
  });

  it('copy it as SVG: title, figures and one path a line', async () => {
    await choose('Copy as SVG');
    await expect.poll(() => panel.copied.length).toBe(1);
    const svg = await panel.page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, 'image/svg+xml');
      const texts = [...root.querySelectorAll('text')].map((each) => each.textContent);
      const paths = [...root.querySelectorAll('path[stroke-width="1.4"]')];
      return {
        failed: root.querySelector('parsererror') !== null,
        texts,
        points: paths.map((path) => path.getAttribute('d')?.match(/[ML]/g)?.length),
        ground: root.querySelector('rect')?.getAttribute('fill'),
      };
    }, panel.copied[0] ?? '');
    expect(svg.failed).toBe(false);
    expect(svg.texts[0]).toBe('Activation mean');
    expect(svg.texts.join(' ')).toContain('before');
    expect(svg.points).toEqual([STEPS, STEPS]);
    expect(svg.ground).toMatch(/^rgb\(\d+,\d+,\d+\)$/);
  });

  it('copy it as PNG, or save it where the clipboard is closed', async () => {
    await choose('Copy as PNG');
    await expect.poll(() => panel.saved.length).toBe(1);
    const [file] = panel.saved;
    expect(file?.as).toBe('png');
    expect([...(file?.bytes.subarray(0, 8) ?? [])]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);

    await panel.page.evaluate(openClipboard);
    await choose('Copy as PNG');
    await expect.poll(() => chart().locator('.said').innerText()).toBe('PNG copied');
    expect(panel.saved).toHaveLength(1);
    expect(await panel.page.evaluate(() => window.copiedTypes)).toEqual(['image/png']);
  });

  it('show them as a table, and no more rows than a person reads', async () => {
    await choose('Show as Table');
    const rows = chart().locator('.figure-table tbody tr');
    expect(await rows.count()).toBe(200);
    expect(await rows.nth(99).locator('td').first().innerText()).toBe('99');
    expect(await rows.nth(99).locator('td').nth(1).innerText()).toBe('100');
    expect(await chart().locator('.figure-table .hint').innerText()).toContain('200 of 240 rows');
    await choose('Hide Table');
    expect(await rows.count()).toBe(0);
  });

  it('use its menu by keyboard', async () => {
    const focused = () => panel.page.evaluate(() => document.activeElement?.textContent);
    await menuButton().focus();
    await panel.page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Copy as PNG');
    await panel.page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Copy as SVG');
    await panel.page.keyboard.press('ArrowUp');
    await panel.page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('Show as Table');
    await panel.page.keyboard.press('Home');
    expect(await focused()).toBe('Copy as PNG');
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => menuButton().getAttribute('aria-expanded')).toBe('false');
    expect(await menuButton().evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('read its formula, and go to the definition', async () => {
    const drift = chart('Mean drift');
    await drift.scrollIntoViewIfNeeded();
    await drift.getByRole('button', { name: 'About Mean drift' }).click();
    const about = panel.page.getByRole('dialog', { name: 'About Mean drift' });
    expect(await about.locator('.formula').innerText()).toContain('μ′ⱼ − μⱼ');
    expect(await about.innerText()).toContain('Unit: standard deviations');
    await about.getByRole('button', { name: 'Definition and source' }).click();
    await expect.poll(() => panel.definitions).toEqual(['drift']);
    expect(await about.isVisible()).toBe(false);
  });

  it('zoom all charts over steps by a drag, and reset them by a double click', async () => {
    const over = chart().locator('.u-over');
    const box = await over.boundingBox();
    if (!box) throw new Error('The chart has no size.');
    const y = box.y + box.height / 2;
    await panel.page.mouse.move(box.x + box.width * 0.25, y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(box.x + box.width * 0.5, y, { steps: 5 });
    await panel.page.mouse.up();
    const range = async () => (await panel.state())?.range ?? null;
    await expect.poll(range).not.toBeNull();
    const [first = 0, last = 0] = (await range()) ?? [];
    // A pixel is half a step.
    expect(Math.abs(first - 0.25 * (STEPS - 1))).toBeLessThanOrEqual(2);
    expect(Math.abs(last - 0.5 * (STEPS - 1))).toBeLessThanOrEqual(2);
    expect(await zoomWords()).toContain(
      `Charts show steps ${first} to ${last} of 0 to ${STEPS - 1}`,
    );
    // The step that is shown was not changed by the drag.
    expect((await panel.state())?.step).toBe('live');
    await over.dblclick();
    await expect.poll(range).toBeNull();
    expect(await zoomWords()).toBe('');
  });

  it('zoom and move by keyboard, and show all steps again', async () => {
    const range = async () => (await panel.state())?.range ?? null;
    await chart().locator('.plot').focus();
    await panel.page.keyboard.press('+');
    await expect.poll(range).toEqual([120, 239]);
    await panel.page.keyboard.press('ArrowLeft');
    await expect.poll(async () => (await range())?.[0]).toBeLessThan(100);
    await panel.page.keyboard.press('0');
    await expect.poll(range).toBeNull();
    await panel.page.keyboard.press('+');
    await panel.page.getByRole('button', { name: 'Show All Steps' }).click();
    await expect.poll(range).toBeNull();
  });

  it('export all that is shown as one page, which runs nothing', async () => {
    panel.session.exportView();
    await expect.poll(() => panel.saved.length).toBe(1);
    const [file] = panel.saved;
    expect(file).toMatchObject({ as: 'html', name: 'train.py-Layer-norm' });
    const html = new TextDecoder().decode(file?.bytes);
    const titles = await panel.page.locator('figure[data-chart] h3').allInnerTexts();
    expect(html.match(/<svg /g)).toHaveLength(titles.length);
    for (const title of titles) expect(html).toContain(`>${title}</text>`);
    expect(html).not.toMatch(/<script|javascript:|https?:\/\/(?!www\.w3\.org)/);
  });

  it.each(['overview', 'layer', 'model'] as const)(
    'tell every chart of the section %s from the others',
    async (section) => {
      const other = await openPanel(browser, sourceOf(store).source, { section });
      await other.page.locator('figure[data-chart]').first().waitFor();
      const ids = await other.page
        .locator('[data-chart]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('data-chart')));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeGreaterThan(0);
      await other.close();
    },
  );
});
