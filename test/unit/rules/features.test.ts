import { describe, expect, it } from 'vitest';
import {
  largestOffset,
  largestRowOffset,
  fastVarianceCancellation,
  mayCancel,
} from '../../../extension/core/rules/cancellation';
import {
  ConstantFeatures,
  DEAD_STEPS,
  deadFeature,
} from '../../../extension/core/rules/deadFeature';
import {
  countBelow,
  countBinsBelow,
  epsDominated,
} from '../../../extension/core/rules/epsDominated';
import { Gains, gainCollapse } from '../../../extension/core/rules/gainCollapse';
import { saturated } from '../../../extension/core/rules/saturated';
import { histogramOf } from '../analysis/histogramOf';

const row = (...values: number[]) => Float32Array.from(values);

describe('constant features', () => {
  it('are dead after as many steps in a row, each by itself', () => {
    const features = new ConstantFeatures();
    for (let step = 0; step < DEAD_STEPS - 1; step++) features.add(row(1, 0, 0));
    expect(features.dead).toBe(0);
    features.add(row(1, 0, 2));
    expect([features.dead, features.first]).toEqual([1, 1]);
    features.add(row(1, 1, 0));
    expect(features.dead).toBe(0);
  });

  it('do not count where their gain is 0, and do where it was not read', () => {
    const features = new ConstantFeatures();
    for (let step = 0; step < DEAD_STEPS; step++) features.add(row(0, 0, 0), row(0, 1, NaN));
    expect([features.dead, features.first]).toEqual([2, 1]);
  });

  it('are not those without a finite value', () => {
    const features = new ConstantFeatures();
    for (let step = 0; step < DEAD_STEPS; step++) features.add(row(NaN, 1e-30));
    expect(features.dead).toBe(0);
  });

  it('are told of from the limit on', () => {
    expect(deadFeature('pre', { dead: 1, first: 9 }, 101, 0.01)).toBeUndefined();
    expect(deadFeature('post', { dead: 1, first: 9 }, 100, 0.01)).toMatchObject({
      tap: 'post',
      value: 0.01,
      feature: 9,
      features: 1,
    });
    expect(deadFeature('pre', { dead: 0, first: -1 }, 0, 0.01)).toBeUndefined();
  });
});

describe('variances below ε', () => {
  it('are counted without those that are 0 or not known', () => {
    expect(countBelow(row(0, NaN, 5e-6, 2e-5, 1e-5), 1e-5)).toEqual({ sets: 3, below: 2 });
  });

  it('count with the squared mean where that is divided by', () => {
    expect(countBelow(row(1e-6, 1e-6), 1e-5, row(1, 1e-3))).toEqual({ sets: 2, below: 1 });
  });

  it('share out the bin of a histogram that ε lies in', () => {
    const histogram = histogramOf([1e-7, 1e-6, 1, 1]);
    expect(countBinsBelow(histogram, 1e-5)).toEqual({ sets: 4, below: 2 });
    // The bin from 1 to 1.125: half of it is below its middle.
    expect(countBinsBelow(histogram, 1.0625).below).toBeCloseTo(3, 9);
    expect(countBinsBelow(undefined, 1)).toEqual({ sets: 0, below: 0 });
  });

  it('dominate from the limit on', () => {
    expect(epsDominated({ sets: 100, below: 9.9 }, 0.1)).toBeUndefined();
    expect(epsDominated({ sets: 100, below: 10 }, 0.1)).toMatchObject({ value: 0.1, features: 10 });
    expect(epsDominated({ sets: 0, below: 0 }, 0.1)).toBeUndefined();
  });
});

describe('saturation', () => {
  it('speaks from the limit on, as a hint where rows are normalized', () => {
    expect(saturated('batch', 0.4999, 0.5)).toBeUndefined();
    expect(saturated('batch', 0.5, 0.5)).toMatchObject({ severity: 'warning', tap: 'post' });
    expect(saturated('layer', 0.6, 0.5)).toMatchObject({ severity: 'info' });
    expect(saturated('batch', NaN, 0.5)).toBeUndefined();
  });
});

describe('gains', () => {
  it('are gone below a hundredth of the largest root mean square they had', () => {
    const gains = new Gains();
    gains.add(row(2, -2, 2, 2));
    gains.add(row(1, 0.021, -0.019, NaN));
    expect([gains.gone, gains.known, gains.first]).toEqual([1, 3, 2]);
    gains.add(row(0, 0, 0, 0));
    expect([gains.gone, gains.first]).toEqual([4, 0]);
  });

  it('that begin at 0 are not gone', () => {
    const gains = new Gains();
    gains.add(row(0, 0));
    gains.add(row(0, 0));
    expect(gains.gone).toBe(0);
  });

  it('are told of from the limit on', () => {
    expect(gainCollapse({ gone: 9, known: 100, first: 3 }, 0.1)).toBeUndefined();
    expect(gainCollapse({ gone: 10, known: 100, first: 3 }, 0.1)).toMatchObject({ feature: 3 });
    expect(gainCollapse({ gone: 0, known: 0, first: -1 }, 0.1)).toBeUndefined();
  });
});

describe('cancellation', () => {
  it('is possible in classes that are not known to sum squared deviations', () => {
    const torch = ['BatchNorm2d', 'LazyBatchNorm1d', 'LayerNorm', 'SyncBatchNorm', 'F.layer_norm'];
    expect(torch.filter((name) => mayCancel(name, 'torch'))).toEqual([]);
    expect(['BatchNormalization', 'MyLayerNorm'].every((name) => mayCancel(name, 'torch'))).toBe(
      true,
    );
    expect(mayCancel('BatchNormalization', 'tfjs')).toBe(false);
    expect(mayCancel('PowerNorm', 'tfjs')).toBe(true);
  });

  it('is worst where the mean is largest beside the deviation', () => {
    const offset = largestOffset(row(3000, -10, 5, NaN), row(4, 1e-6, 0, 1));
    expect(offset.index).toBe(1);
    expect(offset.ratio).toBeCloseTo(10_000, 0);
    const rows = [
      { index: 4, mean: 100, variance: 1 },
      { index: 9, mean: -500, variance: 4 },
      { index: 2, mean: 7, variance: 0 },
    ];
    expect(largestRowOffset(rows)).toEqual({ ratio: 250, index: 9 });
    expect(largestOffset(row(), row())).toEqual({ ratio: 0, index: -1 });
  });

  it('is told of from the limit on', () => {
    expect(fastVarianceCancellation({ ratio: 999, index: 1 }, 'row', 1000)).toBeUndefined();
    expect(fastVarianceCancellation({ ratio: 1000, index: 1 }, 'row', 1000)).toMatchObject({
      row: 1,
      feature: null,
    });
    expect(fastVarianceCancellation({ ratio: 2000, index: 6 }, 'feature', 1000)).toMatchObject({
      feature: 6,
      row: null,
    });
    expect(fastVarianceCancellation({ ratio: NaN, index: -1 }, 'row', 1000)).toBeUndefined();
  });
});
