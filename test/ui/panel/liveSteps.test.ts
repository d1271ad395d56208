import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';
import { figure, layerTitle, readNumber } from './harness/texts';

describe('steps', () => {
  let browser: Browser;
  let panel: PanelPage;
  let store: RunStore;
  let run: KnownRun;

  /** Step s has the mean s + 1 before the norm. */
  const addStep = (step: number) =>
    run.step(step, [{ pre: drawn(step, 6, 8, step + 1, 0.01), post: drawn(step, 6, 8, 0, 1) }], {
      loss: 4 - step / 10,
    });
  const mean = async () => readNumber(await figure(panel.page, 'mean', 'pre'));
  const showsStep = async (step: number) => {
    await expect.poll(() => panel.page.locator('#figures-title').innerText()).toBe(`Step ${step}`);
    expect(await mean()).toBeCloseTo(step + 1, 1);
  };
  const slider = () => panel.page.getByRole('slider');

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    store = new RunStore();
    run = new KnownRun(store, [layerInfo(0, 'norm')]);
    for (let step = 0; step < 20; step++) addStep(step);
    panel = await openPanel(browser, sourceOf(store).source);
    await layerTitle(panel.page).waitFor();
  });
  afterEach(async () => {
    expect(panel.complaints).toEqual([]);
    await panel.close();
    store.dispose();
  });
  afterAll(() => browser.close());

  it('follow the run while it trains', async () => {
    await showsStep(19);
    addStep(20);
    await showsStep(20);
    await expect.poll(() => panel.page.locator('[data-fact="step"]').innerText()).toBe('step 20');
    expect(await panel.page.locator('[data-fact="loss"]').innerText()).toBe('loss 2.00');
  });

  it('do not make the layout jump while they come in', async () => {
    const tops = () =>
      panel.page
        .locator('figure')
        .evaluateAll((figures) => figures.map((each) => each.getBoundingClientRect().top));
    await showsStep(19);
    // The groups of charts come one after another; that of the loss is the last.
    await panel.page.locator('figure[data-chart="loss"]').waitFor();
    const before = await tops();
    for (let step = 20; step < 24; step++) addStep(step);
    await showsStep(23);
    expect(await tops()).toEqual(before);
  });

  it('are chosen by the arrow keys and kept while the run goes on', async () => {
    await slider().focus();
    await panel.page.keyboard.press('ArrowLeft');
    await panel.page.keyboard.press('ArrowLeft');
    await showsStep(17);
    addStep(20);
    await expect.poll(() => panel.page.locator('[data-fact="step"]').innerText()).toBe('step 20');
    await showsStep(17);
    await panel.page.keyboard.press('Home');
    await showsStep(0);
    expect(await slider().getAttribute('aria-valuenow')).toBe('0');
    expect(await slider().getAttribute('aria-valuetext')).toBe('step 0, loss 4.00');
  });

  it('are followed again after Live, or End', async () => {
    await slider().focus();
    await panel.page.keyboard.press('Home');
    await showsStep(0);
    const live = panel.page.locator('vscode-button', { hasText: 'Live' });
    expect(await live.getAttribute('aria-pressed')).toBe('false');
    await live.click();
    await showsStep(19);
    addStep(20);
    await showsStep(20);
    await slider().focus();
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.press('End');
    addStep(21);
    await showsStep(21);
    expect(await live.getAttribute('aria-pressed')).toBe('true');
  });

  it('are chosen by dragging over the loss', async () => {
    const box = await slider().boundingBox();
    if (!box) throw new Error('The timeline has no size.');
    const middle = box.y + box.height / 2;
    await panel.page.mouse.move(box.x + box.width - 20, middle);
    await panel.page.mouse.down();
    await panel.page.mouse.move(box.x + 58, middle, { steps: 4 });
    await panel.page.mouse.up();
    await showsStep(0);
  });

  it('are chosen by a click on a chart over steps', async () => {
    const chart = panel.page.locator('figure', { hasText: 'Mean drift' }).locator('.u-over');
    const box = await chart.boundingBox();
    if (!box) throw new Error('The chart has no size.');
    await chart.click({ position: { x: box.width * (9 / 18), y: box.height / 2 } });
    await showsStep(10);
  });

  it('show their values in every caption while the pointer is over one chart', async () => {
    const chart = panel.page.locator('figure', { hasText: 'Mean drift' }).locator('.u-over');
    const box = await chart.boundingBox();
    if (!box) throw new Error('The chart has no size.');
    // There is no drift at step 0: the chart goes from step 1 to 19.
    await chart.hover({ position: { x: box.width * (3 / 18), y: box.height / 2 } });
    const caption = panel.page
      .locator('figure', { hasText: 'Activation mean' })
      .locator('.caption');
    await expect.poll(() => caption.innerText()).toContain('before 5.00');
    await panel.page.mouse.move(2, 2);
    await expect.poll(() => caption.innerText()).toContain('before 20.0');
  });
});
