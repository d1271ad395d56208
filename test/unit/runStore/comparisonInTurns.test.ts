import { describe, expect, it } from 'vitest';
import { SlotIndex } from '../../../extension/core/frames/slotIndex';
import type { StepTensors } from '../../../extension/core/frames/receivedFrame';
import { FigureSeries } from '../../../extension/core/runStore/figureSeries';
import { LayerTrack } from '../../../extension/core/runStore/layerTrack';
import { SeriesTable } from '../../../extension/core/runStore/seriesTable';
import { StepRecord } from '../../../extension/core/runStore/stepRecord';
import type { Reference } from '../../../extension/protocol/views';
import { plainDrift } from '../../fixtures/plainDrift';
import { packStep, syntheticRun, type Values } from '../../fixtures/syntheticRun';

const options = { layers: 2, steps: 24, samples: 6, features: 4, seed: 9 };
const run = syntheticRun(options);
const LAYER = 1;
const index = new SlotIndex(run.layout);
const records = run.steps.map(
  ({ step, values, vectors }) =>
    new StepRecord({
      ...step,
      index,
      tensors: packStep(run.layout, values, vectors) as unknown as StepTensors,
    }),
);
const inputAt = (step: number): Values => run.steps[step]?.values[LAYER]?.pre ?? [];

const driftBetween = (before: Values, after: Values) => plainDrift(before, after, options.features);

/** A layer whose steps are analysed and compared in full as asked, with all captured ones at hand. */
function followed(isAnalysed: (step: number) => boolean, isDue: (step: number) => boolean) {
  const info = run.layout.layers[LAYER];
  if (!info) throw new Error('The synthetic run lacks the layer.');
  const table = new SeriesTable(1 << 20);
  const track = new LayerTrack(table, info);
  records.forEach((record, step) => {
    if (!isAnalysed(step)) return;
    table.append(step);
    track.add(record, records.slice(0, step).reverse(), isDue(step));
  });
  const steps = Array.from(table.steps());
  const at = (reference: Reference, figure: 'drift' | 'driftFloor' | 'wasserstein' | 'psi') => {
    const drift = track.tap('pre').drift(reference);
    return (step: number) => drift.at(figure, [steps.indexOf(step)])[0] ?? NaN;
  };
  return { at };
}

describe('a layer that is compared in turns', () => {
  const { at } = followed(
    () => true,
    (step) => step % 4 === 0,
  );

  it('has the moments of every step against the one before and the first ten', () => {
    const first = Array.from({ length: 10 }, (_, step) => inputAt(step)).flat();
    for (const step of [13, 14, 15, 17]) {
      const [before, after] = [inputAt(step - 1), inputAt(step)];
      expect(at('previous', 'drift')(step)).toBeCloseTo(driftBetween(before, after), 5);
      expect(at('first', 'drift')(step)).toBeCloseTo(driftBetween(first, after), 5);
      expect(at('previous', 'driftFloor')(step)).toBeCloseTo(Math.sqrt(2 / options.samples), 6);
    }
  });

  it('claims nothing of what was not compared', () => {
    for (const step of [13, 14, 15, 17]) {
      expect(at('previous', 'wasserstein')(step)).toBeNaN();
      expect(at('first', 'psi')(step)).toBeNaN();
      expect(at('window', 'drift')(step)).toBeNaN();
    }
    expect(at('previous', 'wasserstein')(16)).toBeGreaterThan(0);
    expect(at('window', 'drift')(16)).toBeGreaterThan(0);
  });

  it('compares a full turn with the step before it, which was none', () => {
    const all = followed(
      () => true,
      () => true,
    );
    for (const step of [12, 16, 20]) {
      expect(at('previous', 'wasserstein')(step)).toBe(all.at('previous', 'wasserstein')(step));
      expect(at('window', 'psi')(step)).toBe(all.at('window', 'psi')(step));
    }
  });
});

describe('a layer of which not every step is analysed', () => {
  it.each([true, false])('is compared with the captured step before (in full: %s)', (due) => {
    const { at } = followed(
      (step) => step < 12 || step % 3 === 0,
      () => due,
    );
    for (const step of [15, 18, 21]) {
      const expected = driftBetween(inputAt(step - 1), inputAt(step));
      expect(at('previous', 'drift')(step)).toBeCloseTo(expected, 5);
    }
  });
});

describe('a thinned series of figures that not every step has', () => {
  it('takes the newest known one since the row before', () => {
    const table = new SeriesTable(1 << 20);
    const series = new FigureSeries<'psi'>(table);
    for (let step = 0; step < 9; step++) {
      table.append(step);
      if (step % 4 === 1) series.set('psi', step);
    }
    expect(Array.from(series.newestBy('psi', [2, 5, 8]))).toEqual([NaN, 5, NaN]);
    expect(Array.from(series.newestBy('psi', [0, 4, 8]))).toEqual([NaN, 1, 5]);
    expect(Array.from(series.newestBy('psi', [6, 7]))).toEqual([NaN, NaN]);
  });
});
