import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { Family, LayerInfo, Tap } from '../../../extension/protocol/layers';
import { deepFrame } from '../../fixtures/deepFrame';
import { columnOf, type Values, type Vectors } from '../../fixtures/syntheticRun';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';
import { layerTitle, readNumber } from './harness/texts';
import { THEMES, type ThemeName } from './harness/themes';

/** The panel writes three significant digits. */
const ROUNDING = 0.0051;
const STEPS = 8;
const [SAMPLES, FEATURES] = [6, 8];
const [DEAD, WIDE] = [2, 5];

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]) =>
  Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));

/** Feature DEAD is constant, feature WIDE nine times as wide as the others. */
function valuesOf(step: number): Record<Tap, Values> {
  const pre = drawn(7 + step, SAMPLES, FEATURES, 0.1 * step, 3).map((row) =>
    row.map((value, j) => (j === DEAD ? 1.5 : Math.fround(j === WIDE ? 9 * value : value))),
  );
  return {
    pre,
    post: drawn(70 + step, SAMPLES, FEATURES, 0, 3.4),
    gradPost: drawn(170 + step, SAMPLES, FEATURES, 0, 0.02),
    gradPre: drawn(270 + step, SAMPLES, FEATURES, 0, 0.01),
  };
}

const VECTORS: Vectors = {
  gamma: [1, 0.9, 1.1, 1, 1.2, 0.25, 1, 1],
  beta: [0, 0.1, 0, 0, -0.3, 0, 0, 0],
  gammaGradient: [0.01, 0, 0, -0.02, 0, 0, 0, 0.03],
  gammaUpdate: [-0.001, 0, 0, 0.002, 0, 0, 0, -0.003],
};

function knownStore(): { store: RunStore; run: KnownRun } {
  const store = new RunStore();
  const run = new KnownRun(store, [layerInfo(0, 'norm'), layerInfo(1, 'other')]);
  for (let step = 0; step < STEPS; step++) {
    run.step(step, [valuesOf(step), valuesOf(step + 100)], {}, [VECTORS]);
  }
  return { store, run };
}

const chart = (page: Page, id: string) => page.locator(`figure[data-chart="${id}"]`);
const caption = (page: Page, id: string) => chart(page, id).locator('.caption').innerText();
const numbersIn = (text: string) => (text.match(/−?\d[\d.,]*(e−?\d+)?/g) ?? []).map(readNumber);
const near = (found: number | undefined, expected: number, tolerance = ROUNDING) =>
  expect(Math.abs((found ?? NaN) - expected), `${found} is not ${expected}`).toBeLessThanOrEqual(
    tolerance * Math.abs(expected) + 1e-9,
  );

describe('the layer section', () => {
  let browser: Browser;
  let panel: PanelPage;
  let page: Page;
  let known: ReturnType<typeof knownStore>;
  const last = valuesOf(STEPS - 1);

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    known = knownStore();
    panel = await openPanel(browser, sourceOf(known.store).source);
    page = panel.page;
    await chart(page, 'loss').waitFor();
  });
  afterEach(async () => {
    expect(panel.complaints).toEqual([]);
    await panel.close();
    known.store.dispose();
  });

  it('names dead and outlying features, and shows the one that is chosen in all charts', async () => {
    const notable = page.locator('.notable');
    expect(await notable.locator('.caption').innerText()).toBe(
      'Dead features: 1 before, 0 after. Outlying: 1 before, 0 after.',
    );
    const [dead, wide] = [notable.locator('.chip').nth(0), notable.locator('.chip').nth(1)];
    expect(await dead.innerText()).toContain(`${DEAD} dead: always 1.50`);
    const widths = Array.from({ length: FEATURES }, (_, j) => deviation(columnOf(last.pre, j)));
    const alive = widths.filter((width) => width > 0).sort((a, b) => a - b);
    const [, std, ratio] = numbersIn(await wide.innerText());
    near(std, widths[WIDE] ?? NaN);
    near(ratio, (widths[WIDE] ?? NaN) / (alive[3] ?? NaN), 0.02);

    await dead.click();
    await expect.poll(() => caption(page, 'features.before')).toMatch(new RegExp(`^${DEAD}:`));
    expect(await caption(page, 'featureHeat.before')).toContain(`feature ${DEAD}, step 7: σ 0`);
    expect(await caption(page, 'parameter.gamma')).toContain(`feature ${DEAD}: 1.10`);
  });

  it('sorts features by what is asked for, and goes through them by keyboard', async () => {
    const plot = chart(page, 'features.before').locator('.plot');
    const order = page.getByRole('group', { name: 'Sort features by' });
    const first = async (by: string) => {
      await order.getByRole('button', { name: by, exact: true }).click();
      await plot.focus();
      await plot.press('ArrowRight');
      await plot.press('Home');
      return caption(page, 'features.before');
    };
    const largest = (values: readonly number[]) =>
      values.indexOf(Math.max(...values.map(Math.abs)));
    const columns = Array.from({ length: FEATURES }, (_, j) => j);
    const widths = columns.map((j) => deviation(columnOf(last.pre, j)));
    const shifts = columns.map((j) =>
      Math.abs(mean(columnOf(last.pre, j)) - mean(columnOf(valuesOf(STEPS - 2).pre, j))),
    );
    expect(await first('σ')).toMatch(new RegExp(`^${largest(widths)}:`));
    expect(await first('drift')).toMatch(new RegExp(`^${largest(shifts)}:`));
    expect(await first('|γ|')).toMatch(/^4:/);
    expect(await first('index')).toMatch(/^0:/);
    await plot.press('ArrowRight');
    expect(await caption(page, 'features.before')).toMatch(/^1:/);
    await plot.press('End');
    expect(await caption(page, 'features.before')).toMatch(/^7:/);
  });

  it('draws the distribution as percentiles where that is chosen, and remembers it', async () => {
    const choices = page.getByRole('group', { name: 'Distribution over steps as' });
    await choices.getByRole('button', { name: 'percentiles' }).click();
    await chart(page, 'bands.before').waitFor();
    const check = async () => {
      const sorted = last.post.flat().sort((a, b) => a - b);
      const [median, lower, upper] = numbersIn(await caption(page, 'bands.after'));
      // To the width of a histogram's bin.
      near(lower, sorted[12] ?? NaN, 0.2);
      near(upper, sorted[36] ?? NaN, 0.2);
      expect(Math.abs(median ?? NaN)).toBeLessThan(0.3);
    };
    await check();
    expect(await chart(page, 'distribution.before').count()).toBe(0);
    await panel.reload();
    await chart(page, 'bands.after').waitFor();
    await check();
  });

  it('counts each kind of value that has no place on the axis', async () => {
    const broken = last.pre.map((row) => [...row]);
    const [a = [], b = []] = broken;
    [a[0], a[1], b[3], b[4]] = [NaN, NaN, Infinity, 0];
    known.run.step(STEPS, [{ ...last, pre: broken }]);
    await expect.poll(() => caption(page, 'histogram.pre')).toContain('NaN: 2 (4.2 %)');
    const words = await caption(page, 'histogram.pre');
    expect(words).toContain('+∞: 1 (2.1 %)');
    expect(words).toContain('0: 1 (2.1 %)');
    expect(words).not.toContain('−∞');
    expect(await caption(page, 'histogram.post')).toContain('no NaN, infinite, zero or subnormal');
    const sentence = await chart(page, 'histogram.pre').locator('.plot').getAttribute('aria-label');
    expect(sentence).toContain('45 finite values');
  });

  it('measures drift by what is chosen, against what is chosen', async () => {
    const choose = (group: string, name: string) =>
      page.getByRole('group', { name: group }).getByRole('button', { name }).click();
    const before = valuesOf(STEPS - 2);
    const moved = (from: Values, to: Values) => {
      const columns = Array.from({ length: FEATURES }, (_, j) => [
        columnOf(from, j),
        columnOf(to, j),
      ]) as [number[], number[]][];
      const pooled = mean(columns.map(([x, y]) => (deviation(x) ** 2 + deviation(y) ** 2) / 2));
      return Math.sqrt(mean(columns.map(([x, y]) => (mean(y) - mean(x)) ** 2)) / pooled);
    };
    near(numbersIn(await caption(page, 'drift.moments'))[0], moved(before.pre, last.pre));
    // Wasserstein-1 of two equal sets is the mean distance of their sorted values.
    await choose('Measure of drift', 'W₁');
    await chart(page, 'drift.wasserstein').waitFor();
    const sorted = (values: Values) => values.flat().sort((x, y) => x - y);
    const [from, to] = [sorted(before.post), sorted(last.post)];
    const distance = mean(from.map((value, i) => Math.abs(value - (to[i] ?? NaN))));
    const [, found] = numbersIn(await caption(page, 'drift.wasserstein'));
    near(found, distance / deviation(before.post.flat()), 0.25);
    await choose('Measure of drift', 'moments');
    await choose('Compared with', 'last 10');
    const all = Array.from({ length: STEPS - 1 }, (_, step) => valuesOf(step).pre).flat();
    await expect
      .poll(async () => numbersIn(await caption(page, 'drift.moments'))[0])
      .toBeCloseTo(moved(all, last.pre), 2);
  });

  it('shows gradients, parameters and the shift of eval mode by their formulas', async () => {
    const norm = (values: Values) =>
      Math.sqrt(values.flat().reduce((sum, value) => sum + value * value, 0));
    near(
      numbersIn(await caption(page, 'gradientRatio'))[0],
      norm(last.gradPre) / norm(last.gradPost),
    );
    const length = (vector: readonly number[] = []) => Math.hypot(...vector);
    near(
      numbersIn(await caption(page, 'gammaUpdateRatio'))[0],
      length(VECTORS.gammaUpdate) / length(VECTORS.gamma),
    );
    const running = page.getByRole('button', { name: 'As if it were a BatchNorm' });
    expect(await running.getAttribute('aria-expanded')).toBe('false');
    await running.click();
    await chart(page, 'shenMean').waitFor();
    expect(numbersIn(await caption(page, 'shenMean'))[0]).toBeGreaterThan(0);
  });

  it('lists the rows furthest out and shows the sample of one that is chosen', async () => {
    const rows = page.locator('table.rows[data-side="before"] tbody tr');
    const whole = mean(last.pre.flat());
    const far = (row: readonly number[]) => mean(row.map((value) => (value - whole) ** 2));
    const furthest = last.pre
      .map((row, index) => ({ row, index }))
      .sort((a, b) => far(b.row) - far(a.row))[0];
    const cells = await rows.first().locator('th, td').allInnerTexts();
    expect(cells[0]).toBe(`[${furthest?.index}]`);
    near(readNumber(cells[1] ?? ''), mean(furthest?.row ?? []));
    near(readNumber(cells[2] ?? ''), deviation(furthest?.row ?? []));
    await rows.first().getByRole('button').click();
    await expect
      .poll(() => caption(page, 'samples.before'))
      .toContain(`sample ${furthest?.index}: mean`);
  });

  it('asks for deep capture, says so, and draws one feature and one sample as it comes', async () => {
    const state = page.locator('.deep-state').first();
    await expect.poll(() => state.innerText()).toContain('is asked for');
    expect(await chart(page, 'slice.feature.before').count()).toBe(0);
    for (const step of [5, 6, 7]) {
      known.store.accept(known.run.run, deepFrame(0, step, valuesOf(step)));
    }
    await chart(page, 'slice.feature.before').waitFor();
    await expect.poll(() => state.innerText()).toContain('3 kept');
    expect(await caption(page, 'slice.feature.before')).toContain('3 deep captures');
    expect(await caption(page, 'slice.sample.after')).toContain('steps 5 … 7');
    known.store.update(known.run.run, { phase: 'ended' });
    await page.getByRole('option').nth(1).click();
    await expect.poll(() => state.innerText()).toContain('was not open while the run was live');
  });

  it('closes and opens its groups, and remembers which', async () => {
    const heading = page.getByRole('button', { name: 'Gradients', exact: true }).first();
    await heading.click();
    await expect.poll(() => chart(page, 'gradientNorm').count()).toBe(0);
    await panel.reload();
    await chart(page, 'loss').waitFor();
    expect(await heading.getAttribute('aria-expanded')).toBe('false');
    expect(await chart(page, 'gradientNorm').count()).toBe(0);
    await heading.focus();
    await page.keyboard.press('Enter');
    await chart(page, 'gradientNorm').waitFor();
  });

  it('shows only the steps that are zoomed to', async () => {
    const plot = chart(page, 'gradientNorm').locator('.plot');
    await plot.focus();
    await plot.press('+');
    const rows = async () => {
      const state = await panel.state();
      return state?.range ?? null;
    };
    await expect.poll(rows).not.toBeNull();
    const [from] = (await rows()) ?? [NaN];
    await expect
      .poll(() => chart(page, 'distribution.before').locator('.plot').getAttribute('aria-label'))
      .toContain(`from step ${from}`);
  });
});

describe('a layer of a run of which few steps are kept', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('keeps its charts over steps where the person zooms between two steps', async () => {
    const store = new RunStore();
    const run = new KnownRun(store, [layerInfo(0, 'norm')]);
    for (let step = 0; step < STEPS; step++) run.step(1_000 * step, [valuesOf(step)]);
    const { source } = sourceOf(store);
    const panel = await openPanel(browser, source, { section: 'layer' });
    const over = chart(panel.page, 'gradientNorm').locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    if (!box) throw new Error('The chart has no size.');
    const y = box.y + box.height / 2;
    await panel.page.mouse.move(box.x + box.width * 0.45, y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(box.x + box.width * 0.48, y, { steps: 5 });
    await panel.page.mouse.up();
    const range = async () => (await panel.state())?.range ?? null;
    await expect.poll(range).not.toBeNull();
    const [first = 0, last = 0] = (await range()) ?? [];
    expect(Math.floor(first / 1_000)).toBe(Math.floor(last / 1_000));
    for (const id of ['gradientNorm', 'drift.moments', 'varianceDrift']) {
      await expect.poll(() => chart(panel.page, id).count()).toBe(1);
    }
    await over.dblclick();
    await expect.poll(range).toBeNull();
    await panel.close();
  });
});

interface Drawing {
  readonly family: Family;
  readonly change: Partial<LayerInfo>;
  readonly words: string;
}

const DRAWINGS: readonly Drawing[] = [
  {
    family: 'batch',
    change: { inputShape: [16, 8, 4, 5], featureAxes: [1], normalizedAxes: [0, 2, 3] },
    words: 'One mean and σ for each C, over N, H, W: 320 values.',
  },
  {
    family: 'group',
    change: { inputShape: [16, 8, 4, 5], featureAxes: [1], normalizedAxes: [1, 2, 3] },
    words: 'One mean and σ for each N and group of channels, over C, H, W.',
  },
  {
    family: 'instance',
    change: { inputShape: [16, 8, 4, 5], featureAxes: [1], normalizedAxes: [2, 3] },
    words: 'One mean and σ for each N, C, over H, W: 20 values.',
  },
  {
    family: 'layer',
    change: { inputShape: [16, 8, 4, 5], featureAxes: [1, 2, 3], normalizedAxes: [1, 2, 3] },
    words: 'One mean and σ for each N, over C, H, W: 160 values.',
  },
  {
    family: 'rms',
    change: { inputShape: [16, 12, 8], featureAxes: [2], normalizedAxes: [2] },
    words: 'One root mean square for each B, S, over E: 8 values.',
  },
];

describe('the drawing of what a norm normalizes', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each(DRAWINGS)('says it in words for family $family', async ({ family, change, words }) => {
    const store = new RunStore();
    const run = new KnownRun(store, [layerInfo(0, 'norm', { family, ...change })]);
    run.step(0, [valuesOf(0)]);
    const panel = await openPanel(browser, sourceOf(store).source);
    const drawing = panel.page.locator('.tensor svg');
    await drawing.waitFor();
    expect(await drawing.getAttribute('aria-label')).toContain(words);
    const covered = await drawing.locator('.covered').evaluate((path) => {
      const { width, height } = (path as unknown as SVGGraphicsElement).getBBox();
      return width * height;
    });
    expect(covered).toBeGreaterThan(200);
    expect(panel.complaints).toEqual([]);
    await panel.close();
    store.dispose();
  });
});

describe('the whole layer section', () => {
  let browser: Browser;
  const { store, run } = knownStore();
  const options = { 'group.runningAsIf': 'open', distribution: 'bands' };
  const state = {
    version: 2,
    run: null,
    layerName: 'norm',
    step: 'live',
    section: 'layer',
    range: null,
    options,
  } as const;
  const memory = { recall: () => state, remember: () => undefined };

  beforeAll(async () => {
    browser = await launchBrowser();
    for (const step of [5, 6, 7]) store.accept(run.run, deepFrame(0, step, valuesOf(step)));
  });
  afterAll(async () => {
    await browser.close();
    store.dispose();
  });

  it.each(Object.keys(THEMES) as ThemeName[])(
    'has no accessibility violation in theme %s',
    async (theme) => {
      const panel = await openPanel(browser, sourceOf(store).source, { theme, memory });
      await layerTitle(panel.page).waitFor();
      await chart(panel.page, 'shenMean').waitFor();
      await chart(panel.page, 'slice.sample.after').waitFor();
      const { violations } = await new AxeBuilder({ page: panel.page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join()}`);
      await panel.close();
      expect(found).toEqual([]);
    },
  );

  it.each([420, 720, 1000])(
    'puts its charts below one another and cuts none at %i',
    async (width) => {
      const panel = await openPanel(browser, sourceOf(store).source, {
        width,
        height: 900,
        memory,
      });
      await chart(panel.page, 'shenMean').waitFor();
      const wide = await panel.page.evaluate(() =>
        [...document.querySelectorAll('.main figure, .main table, .group-head, .chips')]
          .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
          .map((element) => element.getAttribute('data-chart') ?? element.className),
      );
      expect(wide).toEqual([]);
      await panel.close();
    },
  );
});
