import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { RunStore } from '../../../extension/core/runStore/runStore';
import type { SectionId } from '../../../extension/protocol/panelState';
import type { PanelSource } from '../../../extension/views/panel/panelSession';
import { sourceOf } from '../../ui/panel/harness/knownRun';
import { openPanel, type PanelPage } from '../../ui/panel/harness/panelPage';
import type { LongRun } from './longRun';

export const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Median and, behind it, the smallest and the largest. */
export const spreadOf = (values: readonly number[]): string =>
  `${medianOf(values).toFixed(0)} (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`;

/** Adds steps as fast as they can be taken in; the panel is told and answered meanwhile. */
export async function feed(run: LongRun, steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) {
    run.step();
    if (i % 20 === 0) await sleep(0);
  }
}

/** A section of the panel on a store, or on what stands for it, as a person opens it. */
export async function openOn(
  browser: Browser,
  store: RunStore,
  section: SectionId,
  change: Partial<PanelSource> = {},
): Promise<PanelPage> {
  const { source } = sourceOf(store);
  return openPanel(
    browser,
    { ...source, ...change },
    { section, fetchesAnswers: true, reducedMotion: false, beforeLoad: watchFirstChart },
  );
}

declare global {
  interface Window {
    firstChart: number | undefined;
  }
}

/** In the page, before its own script: notes when the first frame with a chart was shown. */
function watchFirstChart(): void {
  const look = () => {
    if (!document.querySelector('figure canvas')) requestAnimationFrame(look);
    // The frame that it is part of is on the screen when the next one begins.
    else requestAnimationFrame((time) => void (window.firstChart = time));
  };
  requestAnimationFrame(look);
}

/** In the page: when it first showed something, and a chart, since it was asked for. */
export function paintTimes(): readonly [paint: number, chart: number] {
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return [paint?.startTime ?? NaN, window.firstChart ?? NaN];
}

/** Resolves when the first chart was shown. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => window.firstChart !== undefined, undefined, { timeout: 60_000 });
}
