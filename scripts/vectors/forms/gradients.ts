import { vectorNorm } from '../../../extension/core/analysis/gradientFlow';
import { noiseScale } from '../../../extension/core/analysis/noiseScale';
import type { VectorCases } from '../cases';
import { compare } from '../comparison';
import { MalformedVectors, type Values } from '../values';

function meanOf(rows: readonly (readonly number[])[]): readonly number[] {
  return (rows[0] ?? []).map(
    (_, j) => rows.reduce((sum, row) => sum + (row[j] ?? Number.NaN), 0) / rows.length,
  );
}

/** The noise scale of gradients that are given sample by sample. */
export function gradients(file: Values): VectorCases {
  const samples = file.rows('per_sample');
  const size = file.number('micro_batch');
  if (!(size > 0) || samples.length % size !== 0 || samples.length === size) {
    throw new MalformedVectors(`${file.where} has samples that micro-batches do not divide.`);
  }
  const batches = Array.from({ length: samples.length / size }, (_, at) =>
    meanOf(samples.slice(at * size, (at + 1) * size)),
  );
  const squaredSmall =
    batches.reduce((sum, batch) => sum + vectorNorm(batch) ** 2, 0) / batches.length;
  const norm = vectorNorm(meanOf(samples));
  const figures = noiseScale(squaredSmall, size, norm ** 2, samples.length);
  return {
    core: [
      {
        name: 'noise scale',
        comparisons: [
          compare('norm', norm, file.number('norm')),
          compare('g2_unbiased', figures.squaredGradient, file.number('g2_unbiased')),
          compare('trace_sigma_unbiased', figures.noise, file.number('trace_sigma_unbiased')),
          compare('noise_scale', figures.scale, file.number('noise_scale')),
        ],
      },
    ],
    agents: [],
  };
}
