import { afterEach, describe, expect, it, vi } from 'vitest';
import { CurrentRun } from '../../../extension/core/editor/currentRun';
import { EditorModel, worstOf } from '../../../extension/core/editor/editorModel';
import { readLayer, readTrend } from '../../../extension/core/editor/layerReading';
import { LocationIndex } from '../../../extension/core/editor/locationIndex';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { AlertStrings } from '../../../extension/protocol/alertSentences';
import { judgedRun, startRun } from '../rules/judgedRun';

const FILE = '/home/ada/project/model.py';
const at = (line: number, file = FILE) => ({ file, line });

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the current run', () => {
  it('is the newest that goes on or has layers', () => {
    const store = new RunStore();
    const current = new CurrentRun(store);
    expect(current.get()).toBeUndefined();
    const first = judgedRun({ store, steps: 2, seed: 3 });
    const origin = { id: 'later', program: 'other.py', sessionType: 'normscope', startedAt: 9 };
    const later = store.create(origin);
    expect(current.get()).toBe(later);
    store.update(later, { phase: 'ended' });
    expect(current.get()).toBe(first);
  });

  it('is the chosen one until a newer one begins', () => {
    const store = new RunStore();
    const current = new CurrentRun(store);
    const first = judgedRun({ store, steps: 1, seed: 3 });
    const origin = { program: 'b.py', sessionType: 'normscope' };
    store.create({ ...origin, id: 'b', startedAt: 9 });
    current.choose(first.origin.id);
    expect(current.get()).toBe(first);
    const newest = store.create({ ...origin, id: 'c', startedAt: 10 });
    expect(current.get()).toBe(newest);
  });

  it('is the first process of a group', () => {
    const store = new RunStore();
    const hello = (rank: number) => ({ rank, worldSize: 2 });
    const first = judgedRun({ store, steps: 1, seed: 3, hello: hello(0) });
    judgedRun({ store, steps: 1, seed: 4, hello: hello(1) });
    expect(new CurrentRun(store).get()).toBe(first);
  });
});

describe('the index of locations', () => {
  it('gathers the layers of each line by what happens there', () => {
    const store = new RunStore();
    const run = judgedRun({
      store,
      steps: 1,
      describe: (info, i) => ({ ...info, constructedAt: at(5), calledAt: at(20 + i) }),
    });
    const index = new LocationIndex(store, false);
    index.refresh();
    const found = index.of(FILE);
    expect(found?.run).toBe(run);
    const summary = found?.sites.map(({ line, role, layers }) => [line, role, layers.length]);
    expect(summary).toEqual([
      [5, 'construction', 3],
      [20, 'call', 1],
      [21, 'call', 1],
      [22, 'call', 1],
    ]);
    expect(index.of('/elsewhere.py')).toBeUndefined();
  });

  it('takes each file from the newest run that has layers in it', () => {
    const store = new RunStore();
    const older = judgedRun({
      store,
      steps: 1,
      seed: 3,
      describe: (info, i) => ({ ...info, constructedAt: at(5, i === 0 ? '/a.py' : '/b.py') }),
    });
    const newer = judgedRun({
      store,
      steps: 1,
      seed: 4,
      describe: (info) => ({ ...info, constructedAt: at(7, '/b.py') }),
    });
    const index = new LocationIndex(store, false);
    index.refresh();
    expect(index.of('/a.py')?.run).toBe(older);
    expect(index.of('/b.py')?.run).toBe(newer);
  });

  it('is built anew for a new layout, and not for a step', () => {
    const store = new RunStore();
    const { take } = startRun({ store });
    const index = new LocationIndex(store, false);
    index.refresh();
    const { version } = index;
    take(0);
    take(1);
    index.refresh();
    expect(index.version).toBe(version);
    judgedRun({ store, steps: 1, seed: 8 });
    index.refresh();
    expect(index.version).toBe(version + 1);
  });

  it('knows a Windows path in any spelling', () => {
    const store = new RunStore();
    const place = at(3, 'c:\\Work\\Model.py');
    judgedRun({ store, steps: 1, describe: (info) => ({ ...info, constructedAt: place }) });
    const index = new LocationIndex(store, true);
    index.refresh();
    expect(index.of('C:/work/model.py')?.sites[0]?.line).toBe(3);
  });
});

describe('the reading of a layer', () => {
  it('has the standard deviation and drift of the values themselves', () => {
    const means: number[][] = [];
    const allVariances: number[][] = [];
    let std = Number.NaN;
    const run = judgedRun({
      steps: 12,
      plant: ({ pre }, place, step) => {
        if (place !== 0 || step < 10) return;
        const features = pre[0]?.map((_, j) => pre.map((row) => row[j] ?? NaN)) ?? [];
        means.push(features.map(mean));
        allVariances.push(
          features.map((feature) => mean(feature.map((x) => (x - mean(feature)) ** 2))),
        );
        const all = pre.flat();
        std = Math.sqrt(mean(all.map((x) => (x - mean(all)) ** 2)));
      },
    });
    const [track] = run.layers();
    if (!track) throw new Error('There is no layer.');
    const reading = readLayer(run, track);
    const [before = [], after = []] = means;
    const moved = Math.sqrt(mean(after.map((value, j) => (value - (before[j] ?? NaN)) ** 2)));
    const spread = Math.sqrt(mean(allVariances.flat()));
    expect(reading.preStd).toBeCloseTo(std, 4);
    expect(reading.drift).toBeCloseTo(moved / spread, 4);
    // 16 samples against 16.
    expect(reading.driftFloor).toBeCloseTo(Math.sqrt(1 / 16 + 1 / 16), 4);
  });

  it('has a trend from the first to the last step', () => {
    const run = judgedRun({ steps: 50 });
    const [track] = run.layers();
    const trend = track && readTrend(run, track, 'preStd');
    expect(trend).toMatchObject({ firstStep: 0, lastStep: 49 });
    expect(trend?.values.length).toBeLessThanOrEqual(24);
    expect(trend?.values.at(-1)).toBe(track && readLayer(run, track).preStd);
  });
});

describe('the model of the editor', () => {
  afterEach(() => vi.useRealTimers());

  it('tells of many steps once, and of errors of one listener not the others', () => {
    vi.useFakeTimers();
    const store = new RunStore();
    const errors: unknown[] = [];
    const model = new EditorModel(store, {} as AlertStrings, (error) => errors.push(error), 400);
    let told = 0;
    model.onDidChange(() => {
      throw new Error('mine');
    });
    model.onDidChange(() => void told++);
    const { take } = startRun({ store });
    for (let step = 0; step < 20; step++) take(step);
    vi.advanceTimersByTime(1000);
    // Once for the steps, and once more for the late word of the store.
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThanOrEqual(3);
    expect(errors).toHaveLength(told);
    model.dispose();
  });

  it('knows the active alerts of layers, and the worst', () => {
    const store = new RunStore();
    const model = new EditorModel(store, {} as AlertStrings, () => {});
    const run = judgedRun({
      store,
      steps: 15,
      plant: (layer, place) => {
        if (place === 1) layer.pre.forEach((row) => (row[2] = 0.5));
      },
    });
    const [first, second] = run.layers().map(({ info }) => info.id);
    expect(model.alertsOf(run, [second as never]).map(({ rule }) => rule)).toContain(
      'dead-feature',
    );
    expect(model.alertsOf(run, [first as never])).toEqual([]);
    expect(worstOf(model.activeAlerts(run))).toBe('warning');
    expect(worstOf([])).toBeUndefined();
    model.dispose();
  });
});
