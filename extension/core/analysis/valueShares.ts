import { BIN_COUNT, binEdges } from '../../protocol/bitBins';
import type { BitHistogram } from './bitHistogram';

/**
 * |y| from which on a value counts as saturated: tanh(2.09) = 0.97, where tanh's slope is below
 * 0.06 (DEFINITIONS.md, 7). N(0, 1) has 3.7 % beyond it.
 */
export const SATURATED_FROM = 2.09;

/** Share of a bin's interval that is saturated, by bin; its values are taken as evenly spread. */
const saturatedShares = Float32Array.from({ length: BIN_COUNT }, (_, bin) => {
  const [lower, upper] = binEdges(bin)
    .map(Math.abs)
    .sort((a, b) => a - b) as [number, number];
  return Math.min(1, Math.max(0, (upper - SATURATED_FROM) / (upper - lower)));
});

/** Share of finite values with |y| > {@link SATURATED_FROM}, from 0 to 1; NaN of none. */
export function saturation({ bins, counts, zero }: BitHistogram): number {
  let [beyond, total] = [0, zero];
  for (let i = 0; i < bins.length; i++) {
    const count = counts[i] as number;
    total += count;
    beyond += count * (saturatedShares[bins[i] as number] as number);
  }
  return total > 0 ? beyond / total : Number.NaN;
}

/** Share of features whose values are all equal, from 0 to 1; features without one are left out. */
export function deadShare(variances: Float32Array): number {
  let [dead, known] = [0, 0];
  for (const variance of variances) {
    if (Number.isNaN(variance)) continue;
    known++;
    if (variance === 0) dead++;
  }
  return known > 0 ? dead / known : Number.NaN;
}
