import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';
import { readNumber } from './harness/texts';

const STEPS = 20;

/** In the page: the highest point of a drawing in the colour of `before`, 0 at its top, 1 at its end. */
function highestOrange(canvas: SVGElement | HTMLElement): number {
  const { width, height } = canvas as HTMLCanvasElement;
  const context = (canvas as HTMLCanvasElement).getContext('2d');
  const pixels = context?.getImageData(0, 0, width, height).data ?? [];
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, , blue = 0, alpha = 0] = pixels.slice(at, at + 4);
    if (alpha > 128 && red - blue > 120) return Math.floor(at / 4 / width) / height;
  }
  return 1;
}

describe('in half of an editor', () => {
  let browser: Browser;
  let panel: PanelPage;
  let store: RunStore;
  const drift = () =>
    panel.page.locator('figure').filter({ has: panel.page.getByText('Mean drift') });

  /** `shift` moves the mean from step to step; the spread stays. */
  const open = async (shift: number) => {
    const run = new KnownRun(store, [layerInfo(0, 'norm')]);
    for (let step = 0; step < STEPS; step++) {
      run.step(step, [
        { pre: drawn(1, 6, 8, -7 + shift * step, 25), post: drawn(2, 6, 8, 0, 3.4) },
      ]);
    }
    panel = await openPanel(browser, sourceOf(store).source, { width: 880 });
    await drift().waitFor();
  };
  const reading = async (word: string, of: Locator) => {
    const text = await of.locator('.reading', { hasText: word }).innerText();
    return { text, value: readNumber(text.match(/[−\d][\d.,]*(e−?\d+)?/)?.[0] ?? '') };
  };

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

  it('a drift far below what sampling makes still is seen, and the caption has the rest', async () => {
    await open(0.01);
    const [floor, before] = [await reading('sampling', drift()), await reading('before', drift())];
    expect(floor.value).toBeGreaterThan(50 * before.value);
    expect(floor.text).toContain('above the axis');
    const canvas = drift().locator('canvas');
    await expect.poll(() => canvas.evaluate(highestOrange)).toBeLessThan(0.5);
  });

  it('a drift far above what sampling makes is drawn with all of the band', async () => {
    await open(50);
    const [floor, before] = [await reading('sampling', drift()), await reading('before', drift())];
    expect(before.value).toBeGreaterThan(floor.value);
    expect(floor.text).not.toContain('above the axis');
    const canvas = drift().locator('canvas');
    await expect.poll(() => canvas.evaluate(highestOrange)).toBeLessThan(0.5);
  });

  it('no reading of a caption is broken over two lines', async () => {
    await open(0.01);
    const broken = await panel.page
      .locator('.reading')
      .evaluateAll((readings) =>
        readings
          .filter((each) => each.getBoundingClientRect().height > 24)
          .map((each) => each.textContent),
      );
    expect(broken).toEqual([]);
    expect(await panel.page.locator('.reading').count()).toBeGreaterThan(20);
  });
});
