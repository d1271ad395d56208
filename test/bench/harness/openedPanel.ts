import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { RunStore } from '../../../extension/core/runStore/runStore';
import type { SectionId } from '../../../extension/protocol/panelState';
import { sourceOf } from '../../ui/panel/harness/knownRun';
import { openPanel, type PanelPage } from '../../ui/panel/harness/panelPage';
import type { LongRun } from './longRun';

export const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Adds steps as fast as they can be taken in; the panel is told and answered meanwhile. */
export async function feed(run: LongRun, steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) {
    run.step();
    if (i % 20 === 0) await sleep(0);
  }
}

/** A section of the panel on a store, as a person opens it. */
export async function openOn(
  browser: Browser,
  store: RunStore,
  section: SectionId,
): Promise<PanelPage> {
  const { source } = sourceOf(store);
  return openPanel(browser, source, { section, fetchesAnswers: true, reducedMotion: false });
}

/** Resolves when the first chart is there. */
export const drawn = (page: Page): Promise<void> =>
  page.locator('figure canvas').first().waitFor({ state: 'visible', timeout: 60_000 });
