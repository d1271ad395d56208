import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { Tap } from '../../../extension/protocol/layers';
import type { Values } from '../../fixtures/syntheticRun';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelOptions, type PanelPage } from './harness/panelPage';
import { readNumber } from './harness/texts';
import { THEMES, type ThemeName } from './harness/themes';

const NAMES = ['embed', 'blocks.0.norm1', 'blocks.0.norm2', 'blocks.1.norm1', 'blocks.1.norm2'];
const STEPS = 10;
/** A run that takes a while to be gone through. */
const LONG = 60;
/** The panel writes three significant digits. */
const ROUNDING = 0.0051;

/** The spread differs from layer to layer and from step to step. */
function valuesAt(step: number, layer: number, tap: Tap): Values {
  const scale = {
    pre: 1 + layer + 0.3 * step,
    post: 3,
    gradPost: 0.1,
    gradPre: 0.02 * (layer + 1),
  };
  return drawn(1_000 * step + 10 * layer + tap.length, 6, 8, 0, scale[tap]);
}

const allAt = (step: number, layer: number) => ({
  pre: valuesAt(step, layer, 'pre'),
  post: valuesAt(step, layer, 'post'),
  gradPost: valuesAt(step, layer, 'gradPost'),
  gradPre: valuesAt(step, layer, 'gradPre'),
});

function std(values: Values): number {
  const all = values.flat();
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  return Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length);
}

const norm = (values: Values) =>
  Math.sqrt(values.flat().reduce((sum, value) => sum + value ** 2, 0));

const numbersIn = (text: string) => (text.match(/[−\d.,]*\d(e−?\d+)?/g) ?? []).map(readNumber);
const has = (text: string, value: number) =>
  numbersIn(text).some((shown) => Math.abs(shown - value) <= Math.abs(value) * ROUNDING);

describe('the depth of the model', () => {
  let browser: Browser;
  let panel: PanelPage;
  let store: RunStore;
  const chart = (id: string) => panel.page.locator(`figure[data-chart="${id}"]`);
  const sentence = async (id: string) =>
    (await chart(id).locator('[role="img"]').getAttribute('aria-label')) ?? '';

  const open = async (options: PanelOptions = {}, steps = STEPS) => {
    store = new RunStore();
    const infos = NAMES.map((name, i) => layerInfo(i, name));
    const run = new KnownRun(store, infos);
    for (let step = 0; step < steps; step++) {
      run.step(
        step,
        NAMES.map((_, layer) => allAt(step, layer)),
      );
    }
    panel = await openPanel(browser, sourceOf(store).source, { section: 'model', ...options });
    await chart('depth.spread').waitFor();
    return run;
  };
  const remembers = (name: 'layerName' | 'step' | 'section') =>
    expect.poll(async () => (await panel.state())?.[name]);

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    expect(panel.complaints).toEqual([]);
    await panel.close();
    store.dispose();
  });
  afterAll(() => browser.close());

  it('is told in words: the chosen layer, and where each figure is largest', async () => {
    await open();
    const newest = STEPS - 1;
    const spread = await sentence('depth.spread');
    expect(spread).toContain(`step ${newest}`);
    expect(has(spread, std(valuesAt(newest, 0, 'pre')))).toBe(true);
    expect(has(spread, std(valuesAt(newest, 0, 'post')))).toBe(true);
    const spreads = NAMES.map((_, layer) => std(valuesAt(newest, layer, 'pre')));
    const widest = spreads.indexOf(Math.max(...spreads));
    expect(spread).toContain(NAMES[widest]);
    expect(has(spread, Math.max(...spreads))).toBe(true);
    const gradient = await sentence('depth.gradient');
    expect(has(gradient, norm(valuesAt(newest, 0, 'gradPost')))).toBe(true);
    expect(has(gradient, norm(valuesAt(newest, 0, 'gradPre')))).toBe(true);
    const ratio = await sentence('depth.ratio');
    const [before, after] = [valuesAt(newest, 0, 'gradPre'), valuesAt(newest, 0, 'gradPost')];
    expect(has(ratio, norm(before) / norm(after))).toBe(true);
  });

  it('tabulates every layer', async () => {
    await open();
    await chart('depth.spread')
      .getByRole('button', { name: /tabulate/ })
      .click();
    await panel.page.getByRole('menuitem', { name: /Table/ }).click();
    const rows = chart('depth.spread').locator('.figure-table tbody tr');
    await expect.poll(() => rows.count()).toBe(NAMES.length);
    for (const [layer, name] of NAMES.entries()) {
      const cells = await rows.nth(layer).locator('td').allInnerTexts();
      expect(cells[0]).toBe(name);
      expect(has(cells[1] ?? '', std(valuesAt(STEPS - 1, layer, 'pre')))).toBe(true);
      expect(has(cells[2] ?? '', std(valuesAt(STEPS - 1, layer, 'post')))).toBe(true);
    }
  });

  it('follows the step that is chosen', async () => {
    await open();
    await panel.page.getByRole('slider', { name: 'Step shown' }).focus();
    await panel.page.keyboard.press('Home');
    await remembers('step').toBe(0);
    const spread = () => sentence('depth.spread');
    await expect.poll(spread).toContain('At step 0');
    expect(has(await spread(), std(valuesAt(0, 0, 'pre')))).toBe(true);
  });

  it('chooses a layer by a click and by keys, and opens it', async () => {
    await open();
    const plot = chart('depth.spread').locator('.plot');
    const box = (await plot.boundingBox()) ?? expect.fail();
    await panel.page.mouse.click(box.x + box.width * 0.7, box.y + box.height - 8);
    await remembers('layerName').toBe(NAMES.at(-1));
    await expect
      .poll(async () => has(await sentence('depth.spread'), std(valuesAt(9, 4, 'pre'))))
      .toBe(true);
    await plot.focus();
    await panel.page.keyboard.press('ArrowUp');
    await remembers('layerName').toBe(NAMES[3]);
    await panel.page.keyboard.press('Home');
    await remembers('layerName').toBe(NAMES[0]);
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    await remembers('layerName').toBe(NAMES[1]);
    await remembers('section').toBe('layer');
  });

  it('goes through the steps of the run, and stops at the last', async () => {
    await open({}, LONG);
    await panel.page.getByRole('button', { name: 'Play' }).click();
    await remembers('step').toSatisfy((step) => step > 0 && step < LONG - 1);
    expect(await panel.page.getByRole('button', { name: 'Pause' }).count()).toBe(1);
    await remembers('step').toBe(LONG - 1);
    await panel.page.getByRole('button', { name: 'Play' }).waitFor();
    await expect.poll(() => sentence('depth.spread')).toContain(`At step ${LONG - 1}`);
  });

  it('stands still when the person chooses a step while it plays', async () => {
    await open({}, LONG);
    await panel.page.getByRole('button', { name: 'Play' }).click();
    await remembers('step').toSatisfy((step) => step > 0 && step < LONG - 1);
    await panel.page.getByRole('slider', { name: 'Step shown' }).focus();
    await panel.page.keyboard.press('Home');
    await panel.page.getByRole('button', { name: 'Play' }).waitFor();
    await remembers('step').toBe(0);
  });

  it('leaves out a chart that has nothing to show', async () => {
    await open();
    // Without parameters there is no update of γ.
    expect(await chart('depth.update').count()).toBe(0);
    expect(await chart('depth.drift').count()).toBe(1);
  });

  it.each(Object.keys(THEMES) as ThemeName[])('has no violation in theme %s', async (theme) => {
    await open({ theme });
    const { violations } = await new AxeBuilder({ page: panel.page }).analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join()}`),
    ).toEqual([]);
  });

  it.each([420, 720, 1440])('cuts no text at a width of %i', async (width) => {
    await open({ width, height: 900 });
    const cut = await panel.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.model *')]
        .filter((element) => element.childElementCount === 0 && element.textContent?.trim())
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          return left < 0 || right > window.innerWidth + 0.5;
        })
        .map((element) => element.textContent),
    );
    expect(cut).toEqual([]);
  });
});
