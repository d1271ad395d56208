import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { encodeBlob } from '../../../extension/protocol/safetensors';
import { launchBrowser } from './harness/browser';
import { drawn, KnownRun, layerInfo, sourceOf } from './harness/knownRun';
import { openPanel, type PanelPage } from './harness/panelPage';
import { layerTitle } from './harness/texts';

describe('what the panel says when', () => {
  let browser: Browser;
  let panel: PanelPage;
  let store: RunStore;
  const words = () => panel.page.locator('.main').innerText();

  const open = async () => {
    panel = await openPanel(browser, sourceOf(store).source);
    await panel.page.locator('.main h2').first().waitFor();
  };
  const create = (program = 'train.py') =>
    store.create({ id: 'run', program, sessionType: 'normscope', startedAt: 1_000 });

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

  it('there is no run: how to start one, with buttons that do it', async () => {
    await open();
    await expect.poll(words).toContain('No run yet');
    await panel.page.locator('vscode-button', { hasText: 'Debug Current File' }).click();
    await panel.page.locator('vscode-button', { hasText: 'Add Configuration…' }).click();
    await expect.poll(() => panel.commands).toEqual(['debugCurrentFile', 'addConfiguration']);
  });

  it('a process is starting: which', async () => {
    create('/home/ada/project/train.py');
    await open();
    await expect.poll(words).toContain('train.py is starting');
    expect(await panel.page.locator('.phase').innerText()).toBe('starting');
  });

  it('a process runs and has no layer yet', async () => {
    new KnownRun(store, []);
    await open();
    await expect.poll(words).toContain('transformer.py is running; no norm layer yet');
    expect(await words()).toContain('PyTorch 2.13.0 is loaded');
  });

  it('a run ended with no norm layer: the reason given, and what to do', async () => {
    const run = create();
    store.update(run, { phase: 'ended', notice: 'The model has no norm layer. Name yours.' });
    await open();
    await expect.poll(words).toContain('train.py has ended; no norm layer was seen');
    expect(await words()).toContain('The model has no norm layer. Name yours.');
    expect(await panel.page.locator('vscode-button').count()).toBe(2);
  });

  it('no step is finished yet', async () => {
    new KnownRun(store, [layerInfo(0, 'norm')]);
    await open();
    await expect.poll(words).toContain('norm has not finished a step');
  });

  it.each([
    ['paused', 'paused'],
    ['ended', 'ended'],
    ['disconnected', 'disconnected'],
    ['running', 'live'],
  ] as const)('the run is %s: its word and the notice, with the figures', async (phase, word) => {
    const run = new KnownRun(store, [layerInfo(0, 'norm')]);
    run.step(0, [{ pre: drawn(1, 6, 8, 0, 1), post: drawn(2, 6, 8, 0, 1) }]);
    store.update(run.run, { phase, notice: 'The process was killed by signal 9.' });
    await open();
    await layerTitle(panel.page).waitFor();
    expect(await panel.page.locator('.phase').innerText()).toBe(word);
    expect(await panel.page.locator('.notice').innerText()).toContain('killed by signal 9');
    // Where nothing more comes there is nothing to follow.
    const over = phase === 'ended' || phase === 'disconnected';
    const newest = panel.page.locator('.timeline > vscode-button');
    expect((await newest.innerText()).trim()).toBe(over ? 'Last Step' : 'Live');
    expect(await newest.getAttribute('aria-pressed')).toBe(over ? null : 'true');
  });

  it('a run was read back from a trace', async () => {
    const run = store.create({
      id: 'old',
      program: 'train.py',
      sessionType: '',
      startedAt: 1_000,
    });
    store.update(run, { phase: 'ended' });
    await open();
    expect(await panel.page.locator('.status').innerText()).toContain('restored');
  });

  it('a layer has limits: each in its sentence', async () => {
    const status = [
      { code: 'compiled', reason: 'The model is compiled, so its hooks may not fire.' },
      { code: 'eval', reason: 'The layer is in eval mode.' },
    ] as const;
    const run = new KnownRun(store, [layerInfo(0, 'norm', { status })]);
    run.step(0, [{ pre: drawn(1, 6, 8, 0, 1) }]);
    await open();
    await panel.page.locator('.note').first().waitFor();
    expect(await panel.page.locator('.note').allInnerTexts()).toEqual(
      status.map(({ reason }) => reason),
    );
  });

  it('the host can not answer: its sentence, until it can', async () => {
    const run = new KnownRun(store, [layerInfo(0, 'norm')]);
    run.step(0, [{ pre: drawn(1, 6, 8, 0, 1) }]);
    let broken = false;
    const { source } = sourceOf(store);
    panel = await openPanel(browser, {
      ...source,
      query: (query) => {
        if (broken && query.view === 'layer') throw new Error('The trace is damaged.');
        return source.query(query);
      },
    });
    await layerTitle(panel.page).waitFor();
    broken = true;
    run.step(1, [{ pre: drawn(1, 6, 8, 0, 1) }]);
    await panel.page.getByRole('alert').waitFor();
    expect(await panel.page.getByRole('alert').innerText()).toContain('The trace is damaged.');
    broken = false;
    run.step(2, [{ pre: drawn(1, 6, 8, 0, 1) }]);
    await panel.page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it.each([
    ['not a blob', Uint8Array.from([1, 2, 3])],
    ['no view', encodeBlob({ kind: 'step' })],
  ])('an answer is %s: that the view could not be read, until it can', async (_, answer) => {
    const run = new KnownRun(store, [layerInfo(0, 'norm')]);
    run.step(0, [{ pre: drawn(1, 6, 8, 0, 1) }]);
    let broken = false;
    const { source } = sourceOf(store);
    panel = await openPanel(browser, {
      ...source,
      query: (query) => (broken && query.view === 'layer' ? answer : source.query(query)),
    });
    await layerTitle(panel.page).waitFor();
    broken = true;
    run.step(1, [{ pre: drawn(1, 6, 8, 0, 1) }]);
    const alert = panel.page.getByRole('alert');
    await alert.waitFor();
    // The other views still come in: they must not take the sentence away.
    for (let step = 2; step < 8; step++) {
      run.step(step, [{ pre: drawn(1, 6, 8, 0, 1) }]);
      await panel.page.waitForTimeout(80);
      expect(await alert.innerText()).toContain('This view could not be read');
    }
    broken = false;
    run.step(8, [{ pre: drawn(1, 6, 8, 0, 1) }]);
    await alert.waitFor({ state: 'detached' });
  });
});
