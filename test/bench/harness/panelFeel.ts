import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { SectionId } from '../../../extension/protocol/panelState';
import { smoothnessOf, startWatching, type Smoothness } from './frames';
import { LongRun } from './longRun';
import { drawn, feed, medianOf, openOn, paintTimes, spreadOf } from './openedPanel';

const ROUNDS = 3;
const PAINT_ROUNDS = 7;

/** The large run that the panel is opened on. */
export async function largeStore(steps: number): Promise<RunStore> {
  const store = new RunStore();
  const run = new LongRun(store, { id: 'large', layers: 500, stepsPerSecond: 25 });
  console.log(`Making a run of 500 layers and ${steps} steps ...`);
  await feed(run, steps);
  return store;
}

/** From the command to the first paint, and to the first chart, in milliseconds. */
export async function firstPaint(browser: Browser, store: RunStore) {
  const paints: number[] = [];
  const charts: number[] = [];
  for (let round = 0; round < PAINT_ROUNDS; round++) {
    const panel = await openOn(browser, store, 'overview');
    await drawn(panel.page);
    const [paint, chart] = await panel.page.evaluate(paintTimes);
    paints.push(paint);
    charts.push(chart);
    await panel.close();
  }
  console.log(`  first paint ${spreadOf(paints)} ms, first chart ${spreadOf(charts)} ms`);
  return { firstPaintMs: medianOf(paints), firstChartMs: medianOf(charts) };
}

async function sweep(page: Page, selector: string, held: boolean): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`There is no ${selector}.`);
  const y = box.y + box.height / 2;
  const at = (share: number) => box.x + box.width * share;
  await page.mouse.move(at(0.2), y);
  if (held) await page.mouse.down();
  for (let i = 0; i <= 90; i++) {
    await page.mouse.move(at(0.2 + 0.6 * Math.abs(Math.sin(i / 20))), y + (i % 5));
    await sleep(16);
  }
  if (held) await page.mouse.up();
}

async function zoomInAndOut(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`There is no ${selector}.`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.down('Control');
  for (let i = 0; i < 60; i++) {
    await page.mouse.wheel(0, i < 30 ? -60 : 60);
    await sleep(25);
  }
  await page.keyboard.up('Control');
}

/** What a person does, by its name, in the section in which it is done. */
const ACTS: Readonly<Record<string, readonly [SectionId, (page: Page) => Promise<void>]>> = {
  'hover over the heat map': ['overview', (page) => sweep(page, 'figure .plot', false)],
  'zoom the heat map': ['overview', (page) => zoomInAndOut(page, 'figure .plot')],
  'drag the slider in the overview': ['overview', (page) => sweep(page, '.track', true)],
  'hover over a series': ['layer', (page) => sweep(page, '.u-over', false)],
  'zoom a series': ['layer', (page) => zoomInAndOut(page, '.u-over')],
  'drag the slider in a layer': ['layer', (page) => sweep(page, '.track', true)],
  'drag the slider in the model': ['model', (page) => sweep(page, '.track', true)],
};

/** How smooth the panel is at its worst: the lowest rate and the longest frame of all that a person does. */
export async function interaction(browser: Browser, store: RunStore): Promise<Smoothness> {
  const worst: Smoothness[] = [];
  for (const [name, [section, act]] of Object.entries(ACTS)) {
    const panel = await openOn(browser, store, section);
    await drawn(panel.page);
    await sleep(1_000);
    await startWatching(panel.page);
    const rounds: Smoothness[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push(await smoothnessOf(panel.page, () => act(panel.page)));
    }
    await panel.close();
    const fps = medianOf(rounds.map((each) => each.fps));
    const longestFrameMs = medianOf(rounds.map((each) => each.longestFrameMs));
    console.log(`  ${name}: ${fps.toFixed(1)} fps, longest frame ${longestFrameMs.toFixed(0)} ms`);
    worst.push({ fps, longestFrameMs });
  }
  return {
    fps: Math.min(...worst.map(({ fps }) => fps)),
    longestFrameMs: Math.max(...worst.map(({ longestFrameMs }) => longestFrameMs)),
  };
}
