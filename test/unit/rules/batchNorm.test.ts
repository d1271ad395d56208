import { describe, expect, it } from 'vitest';
import { axisMistake, lastAxisWidths } from '../../../extension/core/rules/axisMistake';
import {
  batchOfOne,
  evalWhileTraining,
  isWarmingUp,
  smallBatch,
  trainEvalGap,
} from '../../../extension/core/rules/batchNorm';
import { paddingInStatistics } from '../../../extension/core/rules/padding';
import type { LayerInfo } from '../../../extension/protocol/layers';
import { syntheticLayer } from '../../fixtures/syntheticRun';

describe('the size of a batch', () => {
  it.each([
    [1, 1, 'error'],
    [1, 64, 'warning'],
    // Two calls, of two samples and of one.
    [1.5, 1.5, 'error'],
    [2, 2, undefined],
    [NaN, NaN, undefined],
    [0, 0, undefined],
  ])('of %d samples and %d values is one: %s', (samples, values, severity) => {
    expect(batchOfOne({ samples, values })?.severity).toBe(severity);
  });

  it.each([
    [1, false],
    [2, true],
    [7.9, true],
    [8, false],
    [NaN, false],
  ])('of %d samples is small: %s', (samples, small) => {
    expect(smallBatch({ samples, values: samples * 49 }, 8) !== undefined).toBe(small);
  });
});

describe('eval mode', () => {
  it('in a training step is told of', () => {
    expect(evalWhileTraining(true)?.severity).toBe('warning');
    expect(evalWhileTraining(false)).toBeUndefined();
  });

  it('differs by more than the limit, and by more than samples make of it', () => {
    expect(trainEvalGap(0.99, 10_000, 1)).toBeUndefined();
    expect(trainEvalGap(1, 10_000, 1)).toMatchObject({ value: 1, limit: 1 });
    // 3·√(1.5/6) = 1.5
    expect(trainEvalGap(1.49, 6, 1)).toBeUndefined();
    expect(trainEvalGap(1.5, 6, 1)).toMatchObject({ limit: 1.5 });
    expect(trainEvalGap(Infinity, 1, 1)).toBeUndefined();
    expect(trainEvalGap(NaN, 64, 1)).toBeUndefined();
  });

  it('is not compared before the running statistics have left their start', () => {
    expect(isWarmingUp(49, 0.1)).toBe(true);
    expect(isWarmingUp(50, 0.1)).toBe(false);
    expect(isWarmingUp(50, 0.01)).toBe(true);
    expect(isWarmingUp(50, null)).toBe(false);
  });
});

describe('the channel axis', () => {
  const layer = (change: Partial<LayerInfo>) => ({ ...syntheticLayer(0, 32, 8), ...change });
  const sequence = (change: Partial<LayerInfo> = {}) =>
    layer({ className: 'BatchNorm1d', inputShape: [8, 32, 64], featureAxes: [1], ...change });
  const peer = layer({ family: 'layer', inputShape: [8, 32, 64], featureAxes: [2] });
  const severity = (info: LayerInfo, ...others: LayerInfo[]) =>
    axisMistake(info, lastAxisWidths([info, ...others]))?.severity;

  it('is mistaken where another norm takes the last axis for features', () => {
    expect(severity(sequence(), peer)).toBe('warning');
    expect(severity(sequence({ className: 'SyncBatchNorm' }), peer)).toBe('warning');
  });

  it('may be where both are equally long', () => {
    expect(severity(sequence({ inputShape: [8, 64, 64] }))).toBe('info');
    expect(severity(sequence({ inputShape: [8, 64, 64] }), peer)).toBe('warning');
  });

  it.each([
    ['a signal alone in its model', sequence(), undefined],
    ['channels that are as many as other features', sequence({ inputShape: [8, 64, 32] }), peer],
    ['a matrix', sequence({ inputShape: [8, 64] }), peer],
    ['an image', sequence({ className: 'BatchNorm2d', inputShape: [8, 3, 64, 64] }), peer],
    ['an axis that was chosen', sequence({ className: 'BatchNormalization' }), peer],
    ['features that do lie last', sequence({ featureAxes: [2] }), peer],
    ['another family', sequence({ family: 'instance', className: 'InstanceNorm1d' }), peer],
  ])('is right of %s', (_, info, other) => {
    expect(severity(info, ...(other ? [other] : []))).toBeUndefined();
  });
});

describe('padding', () => {
  it('counts from the limit on, where rows share their statistics', () => {
    expect(paddingInStatistics('batch', 4, 100, 0.05)).toBeUndefined();
    expect(paddingInStatistics('batch', 5, 100, 0.05)).toMatchObject({ value: 0.05 });
    expect(paddingInStatistics('group', 50, 100, 0.05)).toBeDefined();
    expect(paddingInStatistics('layer', 50, 100, 0.05)).toBeUndefined();
    expect(paddingInStatistics('batch', 0, 0, 0.05)).toBeUndefined();
  });
});
