import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { ModelFigure } from '../../../extension/protocol/modelFigures';
import { INITIAL_PANEL_STATE } from '../../../extension/protocol/panelState';
import type { Values } from '../../fixtures/syntheticRun';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelOptions, type PanelPage } from './harness/panelPage';
import { readNumber } from './harness/texts';
import { THEMES, type ThemeName } from './harness/themes';

const NAMES = ['embed', 'blocks.0.norm1', 'blocks.0.norm2', 'blocks.1.norm1', 'blocks.1.norm2'];
const STEPS = 12;
const SAMPLES = 16;
/** The layer and step of the largest spread; and of a NaN. */
const WIDEST = { layer: 3, step: 7 };
const BROKEN = { layer: 2, step: 9 };
/** The panel writes three significant digits. */
const ROUNDING = 0.0051;

/** Spread grows with the layer; one layer leaps at one step. */
function valuesAt(step: number, layer: number): Values {
  const leaps = step === WIDEST.step && layer === WIDEST.layer;
  const values = drawn(100 * step + layer, SAMPLES, 8, 0, leaps ? 60 : 2 + layer);
  if (step !== BROKEN.step || layer !== BROKEN.layer) return values;
  return values.map((row, i) => (i === 0 ? row.map((value, j) => (j === 0 ? NaN : value)) : row));
}

function std(values: Values): number {
  const all = values.flat().filter(Number.isFinite);
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  return Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length);
}

function filled(store: RunStore): KnownRun {
  const infos = NAMES.map((name, i) => layerInfo(i, name));
  const run = new KnownRun(store, infos, { samples: SAMPLES });
  for (let step = 0; step < STEPS; step++) {
    run.step(
      step,
      NAMES.map((_, layer) => ({
        pre: valuesAt(step, layer),
        post: drawn(step, SAMPLES, 8, 0, 3),
      })),
    );
  }
  return run;
}

const numbersIn = (text: string) => (text.match(/[−\d.,]*\d(e−?\d+)?/g) ?? []).map(readNumber);
const has = (text: string, value: number) =>
  numbersIn(text).some((shown) => Math.abs(shown - value) <= Math.abs(value) * ROUNDING);

describe('the overview', () => {
  let browser: Browser;
  let panel: PanelPage;
  let store: RunStore;
  const map = (page: Page = panel.page) => page.getByRole('application');
  const spoken = () => panel.page.locator('.heat .spoken').innerText();

  const open = async (figure: ModelFigure = 'preStd', options: PanelOptions = {}) => {
    store = new RunStore();
    const run = filled(store);
    const state = { ...INITIAL_PANEL_STATE, options: { heatFigure: figure } };
    panel = await openPanel(browser, sourceOf(store).source, {
      section: 'overview',
      memory: { recall: () => state, remember: () => undefined },
      ...options,
    });
    await map().waitFor();
    return run;
  };
  const remembers = (name: 'layerName' | 'step' | 'section' | 'range') =>
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

  it('says the largest value of the figure, its layer and its step', async () => {
    await open();
    const words = (await map().getAttribute('aria-label')) ?? '';
    expect(words).toContain('σ before');
    expect(words).toContain(NAMES[WIDEST.layer]);
    expect(words).toContain(`step ${WIDEST.step}`);
    expect(has(words, std(valuesAt(WIDEST.step, WIDEST.layer)))).toBe(true);
  });

  it('tabulates each layer: at the chosen step, and at its largest', async () => {
    await open();
    await panel.page.getByRole('button', { name: /tabulate/ }).click();
    await panel.page.getByRole('menuitem', { name: /Table/ }).click();
    const rows = panel.page.locator('.figure-table tbody tr');
    await expect.poll(() => rows.count()).toBe(NAMES.length);
    for (const [layer, name] of NAMES.entries()) {
      const cells = await rows.nth(layer).locator('td').allInnerTexts();
      const series = Array.from({ length: STEPS }, (_, step) => std(valuesAt(step, layer)));
      const largest = Math.max(...series);
      expect(cells[0]).toBe(name);
      expect(has(cells[1] ?? '', series[STEPS - 1] ?? NaN), `${name} ${cells[1]}`).toBe(true);
      expect(has(cells[2] ?? '', largest), `${name} ${cells[2]}`).toBe(true);
      expect(readNumber(cells[3] ?? '')).toBe(series.indexOf(largest));
    }
  });

  it('is copied with every value', async () => {
    await open();
    await panel.page.getByRole('button', { name: /tabulate/ }).click();
    await panel.page.getByRole('menuitem', { name: /CSV/ }).click();
    await expect.poll(() => panel.copied.length).toBe(1);
    const [, ...lines] = (panel.copied[0] ?? '').trim().split(/\r?\n/);
    expect(lines).toHaveLength(NAMES.length);
    lines.forEach((line, layer) => {
      const [, ...values] = line.split(',').map(Number);
      values.forEach((value, step) => {
        expect(value).toBeCloseTo(std(valuesAt(step, layer)), 4);
      });
      expect(values).toHaveLength(STEPS);
    });
  });

  it('moves over layers and steps by arrows, and says what is there', async () => {
    await open();
    await map().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowLeft']) {
      await panel.page.keyboard.press(key);
    }
    await remembers('layerName').toBe(NAMES[2]);
    await remembers('step').toBe(STEPS - 3);
    await expect.poll(spoken).toContain(NAMES[2]);
    expect(has(await spoken(), std(valuesAt(STEPS - 3, 2)))).toBe(true);
    await panel.page.keyboard.press('Home');
    await remembers('step').toBe(0);
    await panel.page.keyboard.press('End');
    await remembers('step').toBe('live');
    await panel.page.keyboard.press('Enter');
    await remembers('section').toBe('layer');
  });

  it('chooses layer and step of the cell that is clicked, which the pointer is told of', async () => {
    await open();
    const overlay = panel.page.locator('.heat-overlay');
    const box = (await overlay.boundingBox()) ?? expect.fail();
    await panel.page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.55);
    const tip = panel.page.locator('.heat-tip');
    await tip.waitFor();
    const lines = await tip.locator('span').allInnerTexts();
    const layer = NAMES.indexOf(lines[0] ?? '');
    const step = readNumber((lines[1] ?? '').replace(/\D/g, ''));
    expect(has(lines[2] ?? '', std(valuesAt(step, layer)))).toBe(true);
    expect(lines.at(-1)).toBe('Double-click to open the layer');
    await panel.page.mouse.down();
    await panel.page.mouse.up();
    await remembers('layerName').toBe(NAMES[layer]);
    await remembers('step').toBe(step);
    await remembers('section').toBe('overview');
    await panel.page.mouse.dblclick(box.x + box.width * 0.6, box.y + box.height * 0.55);
    await remembers('section').toBe('layer');
  });

  it('shows of a closed group the layer furthest out', async () => {
    await open();
    const toggle = panel.page.getByRole('button', { name: 'Module blocks.1, 2 layers' });
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    await toggle.click();
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
    await map().focus();
    await panel.page.keyboard.press('Home');
    for (let i = 0; i < WIDEST.step; i++) await panel.page.keyboard.press('ArrowRight');
    for (let i = 0; i < 4; i++) await panel.page.keyboard.press('ArrowDown');
    await remembers('layerName').toBe(NAMES[WIDEST.layer]);
    expect(has(await spoken(), std(valuesAt(WIDEST.step, WIDEST.layer)))).toBe(true);
    // Space opens the group again.
    await panel.page.keyboard.press('Space');
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('true');
  });

  it('remembers a single group that was closed', async () => {
    await open();
    const toggle = panel.page.getByRole('button', { name: 'Module blocks.1, 2 layers' });
    await toggle.click();
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
    await panel.reload();
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
    const other = panel.page.getByRole('button', { name: 'Module blocks.0, 2 layers' });
    expect(await other.getAttribute('aria-expanded')).toBe('true');
    await toggle.click();
    await expect.poll(async () => (await panel.state())?.options['groups.toggled']).toBeUndefined();
  });

  it('closes and opens all groups at once, and remembers it', async () => {
    await open();
    const toggles = panel.page.locator('.group-toggle');
    await panel.page.getByRole('button', { name: 'Close groups' }).click();
    const expanded = () =>
      toggles.evaluateAll((all) => all.map((each) => each.getAttribute('aria-expanded')));
    await expect.poll(expanded).toEqual(['false', 'false']);
    await expect.poll(async () => (await panel.state())?.options.groups).toBe('closed');
    await panel.page.getByRole('button', { name: 'Open groups' }).click();
    await expect.poll(expanded).toEqual(['true', 'true']);
  });

  it('zooms by keys, by a drag and by the timeline, in all charts at once', async () => {
    await open();
    await map().focus();
    await panel.page.keyboard.press('+');
    await remembers('range').toEqual([6, 11]);
    await expect.poll(() => map().getAttribute('aria-label')).toContain('steps 6 to 11');
    const last = panel.page.getByRole('slider', { name: 'Last step shown' });
    await last.focus();
    await panel.page.keyboard.press('ArrowLeft');
    await remembers('range').toEqual([6, 10]);
    await map().focus();
    await panel.page.keyboard.press('0');
    await remembers('range').toBeNull();
    const box = (await panel.page.locator('.heat-overlay').boundingBox()) ?? expect.fail();
    const y = box.y + box.height / 2;
    await panel.page.mouse.move(box.x + box.width * 0.5, y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(box.x + box.width * 0.8, y, { steps: 4 });
    await panel.page.mouse.up();
    await expect
      .poll(async () => {
        const [from = 0, to = 0] = (await panel.state())?.range ?? [];
        return to - from;
      })
      .toBeGreaterThan(2);
    const strip = panel.page.locator('.heat-loss');
    expect(await strip.getAttribute('title')).toBe('Double-click to show all steps');
    await strip.dblclick();
    await remembers('range').toBeNull();
    await expect.poll(async () => (await strip.getAttribute('title')) ?? '').toBe('');
  });

  it('changes its figure and keeps the choice', async () => {
    await open('preDrift');
    await expect.poll(() => map().getAttribute('aria-label')).toContain('Drift before');
    await panel.page.locator('vscode-dropdown').last().click();
    await panel.page.getByRole('option', { name: 'NaN and infinite' }).click();
    const words = () => map().getAttribute('aria-label');
    await expect.poll(words).toContain('NaN and infinite');
    await expect.poll(words).toContain(`largest 1, ${NAMES[BROKEN.layer]}, step ${BROKEN.step}`);
    await expect.poll(async () => (await panel.state())?.options.heatFigure).toBe('nonFinite');
  });

  it('lists alerts with what to do, and goes to where they began', async () => {
    await open();
    const alert = panel.page.locator('.alert').filter({ hasText: 'NaN or infinite values' });
    await expect.poll(() => alert.count()).toBe(1);
    const words = await alert.innerText();
    expect(words).toContain(NAMES[BROKEN.layer]);
    expect(words).toContain(String(BROKEN.step));
    await alert.getByRole('button').click();
    await remembers('layerName').toBe(NAMES[BROKEN.layer]);
    await remembers('step').toBe(BROKEN.step);
  });

  it.each(Object.keys(THEMES) as ThemeName[])('has no violation in theme %s', async (theme) => {
    await open('preDrift', { theme });
    await panel.page.locator('.alert').first().waitFor();
    const { violations } = await new AxeBuilder({ page: panel.page }).analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join()}`),
    ).toEqual([]);
  });

  it.each([420, 720, 1440])('cuts nothing at a width of %i', async (width) => {
    await open('preDrift', { width, height: 900 });
    await panel.page.locator('.alert').first().waitFor();
    const cut = await panel.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.overview *')]
        .filter((element) => element.childElementCount === 0 && element.textContent?.trim())
        .filter((element) => !element.closest('.spoken, vscode-dropdown'))
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          return left < 0 || right > window.innerWidth + 0.5;
        })
        .map((element) => element.textContent),
    );
    expect(cut).toEqual([]);
    const sideways = await panel.page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(sideways).toBeLessThanOrEqual(0);
  });
});
