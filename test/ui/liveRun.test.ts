import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRoot } from '../../scripts/setup/paths';
import type { NormscopeHost, RunWithLayers } from '../harness/normscopeHost';
import { hasPanel } from '../harness/panelFrame';
import { PanelPage } from '../harness/panelPage';
import { openNormscope, type NormscopeSession } from '../harness/normscopeSession';
import { waitFor } from '../harness/waitFor';

/** The panel writes three significant digits. */
const ROUNDING = 0.006;

describe('the panel in VS Code, on the transformer example', { timeout: 240_000 }, () => {
  let session: NormscopeSession;
  let normscope: NormscopeHost;
  let panel: PanelPage;
  let ended: RunWithLayers;
  const since = Date.now();

  beforeAll(async () => {
    session = await openNormscope(inRoot('examples'));
    ({ normscope } = session);
    await normscope.command('normscope.openPanel');
    panel = await PanelPage.find(session.page);
    await normscope.startDebugging('Transformer (PyTorch)');
    await panel.layersShown();
  }, 300_000);
  afterAll(() => session?.close());

  it('lists every layer that the extension knows, and draws charts', async () => {
    const { layers } = await normscope.waitForRun('steps', since, ({ run }) => run.steps > 3);
    expect(layers.length).toBeGreaterThan(1);
    await waitFor('all layers', async () => (await panel.countLayers()) === layers.length);
    await waitFor('charts', async () => (await panel.drawnCanvases()) >= 5);
    await session.picture('live-first-layer');
  });

  it('shows the layer that is clicked', async () => {
    const last = (await panel.countLayers()) - 1;
    const name = await panel.choose(last);
    const { layers } = await normscope.waitForRun('layers', since, () => true);
    expect(name).toBe(layers[last]?.name);
    expect(await panel.chosen()).toBe(name);
  });

  it('changes its values while the program runs', async () => {
    const read = async () => ({
      step: await panel.fact('step'),
      std: await panel.figure('std', 'pre'),
      gradient: await panel.figure('norm', 'gradPre'),
    });
    await waitFor('a first value', async () => Number.isFinite((await read()).gradient));
    const first = await read();
    const later = await waitFor('another value', async () => {
      const now = await read();
      return now.step > first.step && now.gradient !== first.gradient ? now : undefined;
    });
    expect(later.std).toBeGreaterThan(0);
    await session.picture('live-running');
  });

  it('shows at the end what the extension counted', async () => {
    ended = await normscope.waitForRun('the end', since, ({ run }) => run.phase === 'ended');
    const { run } = ended;
    await waitFor('the last step', async () => /ended/i.test(await panel.phase()));
    expect(await panel.fact('dropped')).toBe(run.framesDropped);
    expect(run.lastLoss).not.toBeNull();
    const loss = await panel.fact('loss');
    expect(Math.abs(loss - (run.lastLoss ?? NaN))).toBeLessThan(ROUNDING * Math.abs(loss));
    await session.picture('live-ended');
  });

  it('shows the same after it was closed and opened again', async () => {
    const last = (await panel.countLayers()) - 1;
    await panel.choose(last);
    const before = await panel.figure('std', 'post');
    await normscope.command('workbench.action.closeActiveEditor');
    await waitFor('no panel', async () => !(await hasPanel(session.page)));
    await normscope.command('normscope.openPanel');
    panel = await PanelPage.find(session.page);
    await panel.layersShown();
    await panel.choose(last);
    await waitFor(
      'the value of before',
      async () => (await panel.figure('std', 'post')) === before,
    );
  });

  it("shows the last run's data after the window was reloaded", async () => {
    const before = {
      chosen: await panel.chosen(),
      std: await panel.figure('std', 'pre'),
      norm: await panel.figure('norm', 'gradPost'),
      layers: await panel.countLayers(),
    };
    await session.reload();
    await session.picture('live-reloading');
    panel = await PanelPage.find(session.page);
    await panel.layersShown();
    await waitFor('the layer of before', async () => (await panel.chosen()) === before.chosen);
    await waitFor('its value', async () => (await panel.figure('std', 'pre')) === before.std);
    expect(await panel.figure('norm', 'gradPost')).toBe(before.norm);
    expect(await panel.countLayers()).toBe(before.layers);
    await waitFor('charts', async () => (await panel.drawnCanvases()) >= 5);
    await session.picture('live-reloaded');
  });
});
