import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel } from './harness/panelPage';
import { layerTitle } from './harness/texts';
import { THEMES, type ThemeName } from './harness/themes';

const THEME_NAMES = Object.keys(THEMES) as ThemeName[];
const WIDTHS = [420, 900, 1440] as const;

function filled(): RunStore {
  const store = new RunStore();
  const infos = Array.from({ length: 20 }, (_, i) =>
    layerInfo(i, i === 1 ? 'encoder.layers.11.cross_attention.query_norm' : `blocks.${i}.norm`, {
      inputShape: [6, 128, 8],
      normalizedAxes: [2],
      featureAxes: [2],
      status: i === 0 ? [{ code: 'eval', reason: 'The layer is in eval mode.' }] : [],
    }),
  );
  for (const [id, startedAt] of [
    ['old', 1_000],
    ['new', 2_000],
  ] as const) {
    const run = new KnownRun(store, infos, { id, startedAt });
    for (let step = 0; step < 6; step++) {
      const tap = (seed: number) => drawn(seed + step, 6, 8, seed, 2);
      run.step(
        step * 1_000,
        infos.map(() => ({ pre: tap(1), post: tap(0), gradPost: tap(2), gradPre: tap(3) })),
        { interval: 4, skipped: 12_345 },
      );
    }
    store.update(run.run, { notice: 'Gradients are scaled by AMP; they are shown unscaled.' });
  }
  return store;
}

describe('the panel for everybody', () => {
  let browser: Browser;
  const store = filled();
  const { source } = sourceOf(store);

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    store.dispose();
  });

  it.each(THEME_NAMES)('has no accessibility violation in theme %s', async (theme) => {
    const panel = await openPanel(browser, source, { theme });
    await layerTitle(panel.page).waitFor();
    const { violations } = await new AxeBuilder({ page: panel.page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join()}`);
    await panel.close();
    expect(found).toEqual([]);
  });

  it.each(THEME_NAMES)('has no violation with no run in theme %s', async (theme) => {
    const empty = new RunStore();
    const panel = await openPanel(browser, sourceOf(empty).source, { theme });
    await panel.page.getByText('No run yet').waitFor();
    const { violations } = await new AxeBuilder({ page: panel.page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join()}`);
    await panel.close();
    empty.dispose();
    expect(found).toEqual([]);
  });

  it.each(WIDTHS)('cuts no text at a width of %i', async (width) => {
    const panel = await openPanel(browser, source, { width, height: 900 });
    await layerTitle(panel.page).waitFor();
    const cut = await panel.page.evaluate(() => {
      // Paths of layer names may be shortened: the whole name is in the title and the heading.
      const allowed = '.path, .leaf, .name';
      return [...document.querySelectorAll<HTMLElement>('#root *')]
        .filter((element) => element.childElementCount === 0 && element.textContent?.trim())
        .filter((element) => !element.matches(allowed))
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          const style = getComputedStyle(element);
          const clipped =
            style.display !== 'inline' && element.scrollWidth > element.clientWidth + 1;
          return clipped || left < 0 || right > window.innerWidth + 0.5;
        })
        .map((element) => `${element.className}: ${element.textContent}`);
    });
    const sideways = await panel.page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    await panel.close();
    expect(cut).toEqual([]);
    expect(sideways).toBeLessThanOrEqual(0);
  });

  it.each(THEME_NAMES)(
    'keeps before and after apart from the ground in theme %s',
    async (theme) => {
      const panel = await openPanel(browser, source, { theme });
      await layerTitle(panel.page).waitFor();
      const colours = await panel.page.evaluate(() => {
        const rgb = (css: string) => (css.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
        const ofMark = (side: string) =>
          rgb(
            getComputedStyle(document.querySelector(`.side-mark.${side}`) as Element)
              .backgroundColor,
          );
        return {
          ground: rgb(getComputedStyle(document.body).backgroundColor),
          before: ofMark('before'),
          after: ofMark('after'),
        };
      });
      await panel.close();
      const light = (rgb: readonly number[]) => {
        const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
          const c = channel / 255;
          return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ratio = (a: readonly number[], b: readonly number[]) => {
        const [x, y] = [light(a), light(b)];
        return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
      };
      expect(ratio(colours.before, colours.ground)).toBeGreaterThanOrEqual(3);
      expect(ratio(colours.after, colours.ground)).toBeGreaterThanOrEqual(3);
      expect(colours.before).not.toEqual(colours.after);
    },
  );

  it('takes on a new theme at once', async () => {
    const panel = await openPanel(browser, source, { theme: 'dark' });
    await layerTitle(panel.page).waitFor();
    const mark = panel.page.locator('.side-mark.before').first();
    const colour = () => mark.evaluate((element) => getComputedStyle(element).backgroundColor);
    const dark = await colour();
    await panel.setTheme('light');
    await expect.poll(colour).not.toBe(dark);
    expect(panel.complaints).toEqual([]);
    await panel.close();
  });

  it('stands still for those who want less motion', async () => {
    const panel = await openPanel(browser, source, { reducedMotion: true });
    await layerTitle(panel.page).waitFor();
    const running = await panel.page.evaluate(() => document.getAnimations().length);
    await panel.close();
    expect(running).toBe(0);
  });
});
