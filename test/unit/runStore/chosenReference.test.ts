import { describe, expect, it } from 'vitest';
import { layerId, runId } from '../../../extension/protocol/ids';
import type { Tap } from '../../../extension/protocol/layers';
import { decodeBlob } from '../../../extension/protocol/safetensors';
import type { LayerView, OverviewView, Reference } from '../../../extension/protocol/views';
import { readLayer, readTrend } from '../../../extension/core/editor/layerReading';
import { moments, plainDrift } from '../../fixtures/plainDrift';
import { columnOf, syntheticRun, syntheticStore, type Values } from '../../fixtures/syntheticRun';

const options = { layers: 3, steps: 25, samples: 8, features: 5, seed: 4 };
const synthetic = syntheticRun(options);
const LAYER = 1;
const CHOSEN = 7;

const driftBetween = (before: Values, after: Values) => plainDrift(before, after, options.features);

const valuesAt = (step: number, tap: Tap): Values =>
  synthetic.steps[step]?.values[LAYER]?.[tap] ?? [];

function stored(limits?: Parameters<typeof syntheticStore>[1]) {
  const store = syntheticStore(options, limits);
  const run = store.get(runId('synthetic'));
  const track = run?.layer(layerId(LAYER));
  if (!run || !track) throw new Error('The synthetic run lacks the layer.');
  const ask = (reference: Reference, step: number | 'live' = 'live', points = 100) => {
    const { body, tensors } = decodeBlob(
      store.query({
        view: 'layer',
        run: runId('synthetic'),
        layer: layerId(LAYER),
        step,
        points,
        ridges: 0,
        ridgePoints: 16,
        reference,
      }),
    );
    return { body: body as LayerView, tensor: (name: string) => Array.from(tensors[name] ?? []) };
  };
  return { store, run, track, ask };
}

describe('drift against a step that was chosen', () => {
  it('is that of each step, those before the choice and before the step too', () => {
    const { store, run, ask } = stored();
    store.chooseReference(run, CHOSEN);
    const { body, tensor } = ask('chosen');
    expect(body.reference).toBe('chosen');
    expect(body.run.referenceStep).toBe(CHOSEN);
    for (const tap of ['pre', 'post'] as const) {
      for (let step = 0; step < options.steps; step++) {
        const expected = driftBetween(valuesAt(CHOSEN, tap), valuesAt(step, tap));
        expect(Number(tensor(`${tap}Drift`)[step])).toBeCloseTo(expected, 4);
      }
      // 8 samples against 8.
      expect(Number(tensor(`${tap}DriftFloor`)[20])).toBeCloseTo(0.5, 6);
      expect(Number(tensor(`${tap}Wasserstein`)[CHOSEN])).toBe(0);
      expect(Number(tensor(`${tap}Psi`)[CHOSEN])).toBeCloseTo(0, 6);
    }
  });

  it('has the distances of histograms that a live comparison with that step had', () => {
    const { store, run, ask } = stored();
    const live = ask('previous').tensor('preWasserstein');
    const psi = ask('previous').tensor('prePsi');
    for (const step of [4, 13, 24]) {
      store.chooseReference(run, step - 1);
      const { tensor } = ask('chosen');
      expect(tensor('preWasserstein')[step]).toBe(live[step]);
      expect(tensor('prePsi')[step]).toBe(psi[step]);
    }
  });

  it('goes on with the steps that come', () => {
    const half = { ...options, steps: 12 };
    const store = syntheticStore(half);
    const run = store.get(runId('synthetic'));
    if (!run) throw new Error('no run');
    store.chooseReference(run, CHOSEN);
    const whole = stored();
    for (const record of whole.run.history.records().filter(({ step }) => step >= 12)) {
      run.accept({ kind: 'step', time: record.step * 1e6, loss: null, ...record } as never);
    }
    const drift = run.layer(layerId(LAYER))?.tap('pre').drift('chosen');
    const expected = driftBetween(valuesAt(CHOSEN, 'pre'), valuesAt(20, 'pre'));
    expect(drift?.at('drift', [20])[0]).toBeCloseTo(expected, 4);
    expect(drift?.at('wasserstein', [20])[0]).toBeGreaterThan(0);
  });

  it('is of each feature too', () => {
    const { store, run, ask } = stored();
    store.chooseReference(run, CHOSEN);
    const { tensor } = ask('chosen', 20);
    const at = (step: number) =>
      Array.from({ length: options.features }, (_, j) =>
        moments(columnOf(valuesAt(step, 'pre'), j)),
      );
    const [before, after] = [at(CHOSEN), at(20)];
    const variances = [...before, ...after].map(({ variance }) => variance);
    const deviation = Math.sqrt(moments(variances).mean);
    const features = tensor('preFeatureDrift');
    expect(features).toHaveLength(options.features);
    features.forEach((value, j) => {
      const change = Math.abs((after[j]?.mean ?? NaN) - (before[j]?.mean ?? NaN));
      expect(Number(value)).toBeCloseTo(change / deviation, 4);
    });
  });

  it('is against the nearest kept step before one that is not there', () => {
    const { store, run } = stored();
    store.chooseReference(run, 400);
    expect(run.reference.step).toBe(24);
    store.chooseReference(run, 6.5);
    expect(run.reference.step).toBe(6);
    store.chooseReference(run, -1);
    expect(run.reference.step).toBe(6);
  });

  it('holds after the step itself has gone from history', () => {
    const { store, run, ask } = stored();
    store.chooseReference(run, CHOSEN);
    run.setBudget(1);
    expect(run.history.records().some(({ step }) => step === CHOSEN)).toBe(false);
    const { body, tensor } = ask('chosen', 24);
    expect(body.reference).toBe('chosen');
    const expected = driftBetween(valuesAt(CHOSEN, 'pre'), valuesAt(24, 'pre'));
    expect(Number(tensor('preDrift').at(-1))).toBeCloseTo(expected, 4);
    const features = tensor('preFeatureDrift');
    expect(features).toHaveLength(options.features);
  });

  it('is what the editor and the layer list show, until another reference is chosen', () => {
    const { store, run, track } = stored();
    const usual = readLayer(run, track);
    store.chooseReference(run, CHOSEN);
    const expected = driftBetween(valuesAt(CHOSEN, 'pre'), valuesAt(24, 'pre'));
    expect(readLayer(run, track).drift).toBeCloseTo(expected, 4);
    expect(readTrend(run, track, 'drift')?.values.at(-1)).toBeCloseTo(expected, 4);
    const overview = () =>
      decodeBlob(store.query({ view: 'overview', run: runId('synthetic'), points: 100 }));
    const rowOf = () => (overview().body as OverviewView).rows[LAYER];
    expect(rowOf()?.drift).toBeCloseTo(expected, 4);
    expect(overview().tensors.drift?.[LAYER * options.steps + CHOSEN]).toBe(0);
    store.chooseReference(run, null);
    expect(readLayer(run, track)).toEqual(usual);
    expect(rowOf()?.drift).toBe(usual.drift);
    expect(track.tap('pre').drift('chosen').column('drift')).toBeUndefined();
  });

  it('leaves the other references as they are, and is theirs where no step is chosen', () => {
    const { store, run, ask } = stored();
    const before = ask('first').tensor('preDrift');
    store.chooseReference(run, CHOSEN);
    expect(ask('first').tensor('preDrift')).toEqual(before);
    store.chooseReference(run, null);
    expect(ask('chosen').body.reference).toBe('previous');
  });

  it('is known at every point of a thinned curve', () => {
    const { store, run, ask } = stored();
    store.chooseReference(run, CHOSEN);
    const { tensor } = ask('chosen', 'live', 5);
    for (const name of ['preDrift', 'prePsi', 'postWasserstein']) {
      expect(tensor(name).every((value) => !Number.isNaN(value))).toBe(true);
    }
  });
});
