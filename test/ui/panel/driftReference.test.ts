import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { Tap } from '../../../extension/protocol/layers';
import type { Values } from '../../fixtures/syntheticRun';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';

const [SAMPLES, FEATURES] = [6, 4];

const valuesOf = (step: number): Record<Tap, Values> => ({
  pre: drawn(step, SAMPLES, FEATURES, step, 1),
  post: drawn(50 + step, SAMPLES, FEATURES, 0, 1),
  gradPost: drawn(100 + step, SAMPLES, FEATURES, 0, 0.1),
  gradPre: drawn(150 + step, SAMPLES, FEATURES, 0, 0.1),
});

describe('what drift is measured against, in the panel', () => {
  let browser: Browser;
  let panel: PanelPage;
  let store: RunStore;
  let run: KnownRun;

  beforeAll(async () => {
    browser = await launchBrowser();
    store = new RunStore();
    run = new KnownRun(store, [layerInfo(0, 'norm')]);
    for (let step = 0; step < 6; step++) run.step(step, [valuesOf(step)]);
    panel = await openPanel(browser, sourceOf(store).source);
    await panel.page.locator('figure[data-chart="drift.moments"]').waitFor();
  });
  afterAll(() => browser?.close());

  const references = () => panel.page.getByRole('group', { name: 'Compared with' });
  const pressed = () => references().locator('[aria-pressed="true"]').innerText();
  const stored = () => store.runs()[0]?.referenceStep;
  const caption = () =>
    panel.page.locator('figure[data-chart="drift.moments"] .caption').innerText();

  it('becomes the step that is shown, and stays that while the run goes on', async () => {
    expect(await pressed()).toBe('previous step');
    await references().getByText('this step').click();
    await expect.poll(pressed).toBe('step 5');
    expect(stored()).toBe(5);
    // Of a step with itself there is none.
    await expect.poll(caption).toMatch(/ 0\b/);
    run.step(6, [valuesOf(6)]);
    await expect.poll(() => references().getByText('this step').isVisible()).toBe(true);
    expect(await pressed()).toBe('step 5');
    await expect(panel.page.getByText('drift from step 5').first().isVisible()).resolves.toBe(true);
  });

  it('is given up by choosing another', async () => {
    await references().getByText('first 10').click();
    await expect.poll(pressed).toBe('first 10');
    expect(stored()).toBeNull();
    await expect.poll(() => references().getByText('step 5').count()).toBe(0);
  });
});
