import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { Tap } from '../../../extension/protocol/layers';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';
import { figure, readNumber } from './harness/texts';
import type { Values } from '../../fixtures/syntheticRun';

/** The panel writes three significant digits. */
const ROUNDING = 0.0051;

const values: Record<Tap, Values> = {
  pre: drawn(1, 6, 8, 3.2, 2.5),
  post: drawn(2, 6, 8, 0, 3.4),
  gradPost: drawn(3, 6, 8, 0.0004, 0.02),
  gradPre: drawn(4, 6, 8, -0.0007, 0.0003),
};

/** The figures by their textbook formulas, over finite values. */
function expected(tap: Values) {
  const all = tap.flat();
  const finite = all.filter(Number.isFinite);
  let sum = 0;
  for (const value of finite) sum += value;
  const mean = sum / finite.length;
  let squares = 0;
  let power = 0;
  for (const value of finite) {
    squares += (value - mean) ** 2;
    power += value ** 2;
  }
  return {
    mean,
    std: Math.sqrt(squares / finite.length),
    min: Math.min(...finite),
    max: Math.max(...finite),
    norm: Math.sqrt(power),
    elements: all.length,
    samples: tap.length,
    nan: all.filter(Number.isNaN).length,
    positiveInfinity: all.filter((value) => value === Infinity).length,
    negativeInfinity: all.filter((value) => value === -Infinity).length,
    zero: all.filter((value) => value === 0).length,
  };
}

describe('figures of a layer', () => {
  let browser: Browser;
  let panel: PanelPage;
  const store = new RunStore();

  beforeAll(async () => {
    const run = new KnownRun(store, [layerInfo(0, 'plain'), layerInfo(1, 'broken')]);
    const broken = values.pre.map((row) => [...row]);
    const [first, second] = broken;
    if (first && second) {
      first[0] = NaN;
      first[3] = Infinity;
      second[1] = -Infinity;
      second[2] = -Infinity;
      second[5] = 0;
    }
    run.step(0, [values, { pre: broken, post: values.post }]);
    browser = await launchBrowser();
    panel = await openPanel(browser, sourceOf(store).source);
    await panel.page.locator('.figures').first().waitFor();
  });

  afterAll(async () => {
    await panel.close();
    await browser.close();
    store.dispose();
  });

  it.each(['pre', 'post', 'gradPost', 'gradPre'] as const)(
    'are those of the numbers fed in, at tap %s',
    async (tap) => {
      for (const [name, value] of Object.entries(expected(values[tap]))) {
        const shown = readNumber(await figure(panel.page, name, tap));
        const tolerance = Number.isInteger(value) ? 0 : Math.abs(value) * ROUNDING;
        expect(Math.abs(shown - value), `${tap} ${name}: ${shown}`).toBeLessThanOrEqual(tolerance);
      }
    },
  );

  it('leave NaN and infinities out of the moments and count them', async () => {
    await panel.page.getByRole('option').nth(1).click();
    await panel.page.locator('h2', { hasText: 'broken' }).waitFor();
    const broken = values.pre.flat();
    for (const at of [0, 3, 9, 10]) broken[at] = NaN;
    broken[13] = 0;
    const finite = broken.filter(Number.isFinite);
    const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length;
    expect(readNumber(await figure(panel.page, 'mean', 'pre'))).toBeCloseTo(mean, 1);
    expect(await figure(panel.page, 'nan', 'pre')).toBe('1');
    expect(await figure(panel.page, 'positiveInfinity', 'pre')).toBe('1');
    expect(await figure(panel.page, 'negativeInfinity', 'pre')).toBe('2');
    expect(await figure(panel.page, 'zero', 'pre')).toBe('1');
    const row = panel.page.getByRole('option').nth(1);
    expect(await row.getAttribute('aria-label')).toContain('4 NaN or infinite values');
  });

  it('show a dash where a tap did not fire', async () => {
    await panel.page.getByRole('option').nth(1).click();
    await panel.page.locator('h2', { hasText: 'broken' }).waitFor();
    expect(await figure(panel.page, 'mean', 'gradPre')).toBe('–');
    expect(await figure(panel.page, 'elements', 'gradPost')).toBe('–');
  });

  it('are spoken by every chart', async () => {
    await panel.page.getByRole('option').nth(0).click();
    await panel.page.locator('h2', { hasText: 'plain' }).waitFor();
    const charts = panel.page.locator('figure [role="img"]');
    const sentences = await charts.evaluateAll((elements) =>
      elements.map((element) => element.getAttribute('aria-label') ?? ''),
    );
    expect(sentences).toHaveLength(await panel.page.locator('figure[data-chart]').count());
    expect(sentences.length).toBeGreaterThan(14);
    for (const sentence of sentences) expect(sentence).toMatch(/\d/);
    const before = expected(values.pre);
    const numbers = (sentences[0]?.match(/[−\d.,]+\d(e−?\d+)?/g) ?? []).map(readNumber);
    for (const value of [before.mean, before.std, before.min, before.max]) {
      expect(numbers.some((n) => Math.abs(n - value) <= Math.abs(value) * ROUNDING)).toBe(true);
    }
  });

  it('are drawn when they come into sight: every canvas has more than its background', async () => {
    const coloursOf = (canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      return new Set(new Uint32Array(Uint8Array.from(pixels).buffer)).size;
    };
    const canvases = await panel.page.locator('canvas').elementHandles();
    expect(canvases.length).toBeGreaterThan(14);
    for (const canvas of canvases) {
      await canvas.scrollIntoViewIfNeeded();
      await expect
        .poll(() => canvas.evaluate(coloursOf as (node: Node) => number))
        .toBeGreaterThan(2);
    }
  });

  it('come without a complaint from the content security policy or the console', () => {
    expect(panel.complaints).toEqual([]);
  });
});
