import { describe, expect, it } from 'vitest';
import { AgentFrameParser } from '../../../extension/core/collector/parseAgentFrame';
import type { Deep } from '../../../extension/protocol/frames';
import { layerId } from '../../../extension/protocol/ids';
import {
  MAX_COVARIANCE_FEATURES,
  MAX_RAW_ROWS,
  MAX_SAMPLES,
} from '../../../extension/protocol/limits';
import {
  decodeBlob,
  encodeBlob,
  MalformedBlob,
  type Tensors,
} from '../../../extension/protocol/safetensors';
import { syntheticRun } from '../../fixtures/syntheticRun';

const run = syntheticRun({ layers: 2, steps: 0, samples: 3, features: 2 });
const deep: Deep = {
  kind: 'deep',
  layer: layerId(1),
  step: 4,
  features: 2,
  taps: ['pre', 'gradPost'],
};
const tensors: Tensors = {
  'pre.featureSplits': Uint32Array.of(0, 1, 3),
  'pre.featureBins': Uint16Array.of(5, 6, 4095),
  'pre.featureCounts': Uint32Array.of(3, 2, 1),
  'pre.sampleSplits': Uint32Array.of(0, 2, 2, 3),
  'pre.sampleBins': Uint16Array.of(5, 6, 7),
  'pre.sampleCounts': Uint32Array.of(1, 1, 2),
  'pre.mean': Float32Array.of(1, 2),
  'pre.covariance': Float32Array.of(1, 0.5, 0.5, 2),
  'pre.covarianceRows': Uint32Array.of(7),
  'pre.rows': Float32Array.of(1, 2, 3, 4, 5, 6),
  'pre.rowIndices': Uint32Array.of(0, 1, 2),
};

function parse(change: Partial<Deep> | Record<string, unknown>, changed: Tensors = {}) {
  const parser = new AgentFrameParser();
  parser.parse(decodeBlob(encodeBlob(run.hello)));
  parser.parse(decodeBlob(encodeBlob(run.layout)));
  const blob = encodeBlob({ ...deep, ...change } as Deep, { ...tensors, ...changed });
  return parser.parse(decodeBlob(blob));
}

describe('a deep frame', () => {
  it('is taken with the tensors of each tap, and without what an agent did not take', () => {
    const frame = parse({});
    if (frame?.kind !== 'deep') throw new Error('It was not taken.');
    expect(frame).toMatchObject(deep);
    expect(frame.tensors.pre?.featureHistograms?.counts).toEqual(Uint32Array.of(3, 2, 1));
    expect(frame.tensors.pre?.sampleHistograms?.splits).toEqual(Uint32Array.of(0, 2, 2, 3));
    expect(frame.tensors.pre?.covariance).toEqual({
      mean: Float32Array.of(1, 2),
      matrix: Float32Array.of(1, 0.5, 0.5, 2),
      rows: 7,
    });
    expect(frame.tensors.pre?.rows?.indices).toEqual(Uint32Array.of(0, 1, 2));
    expect(frame.tensors.gradPost).toEqual({});
    expect(frame.tensors.post).toBeUndefined();
    expect(frame.bytes).toBeGreaterThan(100);
  });

  it('skips taps that are not known', () => {
    expect(parse({ taps: ['middle', 'pre', 'pre'] })).toMatchObject({ taps: ['pre'] });
  });

  const wide = MAX_COVARIANCE_FEATURES + 1;
  it.each<[string, Record<string, unknown>, Tensors]>([
    ['of a layer that was not announced', { layer: 9 }, {}],
    ['with more features than it has histograms', { features: 3 }, {}],
    ['with taps that are no list of texts', { taps: [1] }, {}],
    ['with endless taps', { taps: Array.from({ length: 99 }, () => 'pre') }, {}],
    ['with splits backwards', {}, { 'pre.featureSplits': Uint32Array.of(0, 3, 1) }],
    ['with splits beyond the bins', {}, { 'pre.featureSplits': Uint32Array.of(0, 3, 9) }],
    ['without splits at all', {}, { 'pre.sampleSplits': new Uint32Array(0) }],
    ['with a bin above 4095', {}, { 'pre.sampleBins': Uint16Array.of(5, 6, 4096) }],
    ['with bins of another dtype', {}, { 'pre.sampleBins': Uint32Array.of(5, 6, 7) }],
    ['with a count too few', {}, { 'pre.sampleCounts': Uint32Array.of(1, 1) }],
    ['of too many samples', {}, { 'pre.sampleSplits': new Uint32Array(MAX_SAMPLES + 2) }],
    ['with a covariance of another size', {}, { 'pre.covariance': new Float32Array(9) }],
    ['with a covariance of no known rows', {}, { 'pre.covarianceRows': new Uint32Array(0) }],
    ['with a mean of another size', {}, { 'pre.mean': new Float32Array(3) }],
    [
      'with the covariance of too many features',
      { features: wide, taps: ['post'] },
      {
        'post.mean': new Float32Array(wide),
        'post.covariance': new Float32Array(wide * wide),
      },
    ],
    ['with rows that are not whole', {}, { 'pre.rows': new Float32Array(5) }],
    [
      'of too many rows',
      {},
      {
        'pre.rows': new Float32Array(2 * (MAX_RAW_ROWS + 1)),
        'pre.rowIndices': new Uint32Array(MAX_RAW_ROWS + 1),
      },
    ],
  ])('is refused %s', (_, change, changed) => {
    expect(() => parse(change, changed)).toThrow(MalformedBlob);
  });
});
