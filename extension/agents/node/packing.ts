import type { Layout } from '../../protocol/frames';
import type { LayerId } from '../../protocol/ids';
import type { Slot, Tap } from '../../protocol/layers';
import type { Tensors } from '../../protocol/safetensors';
import { sparse } from './histogram';
import type { TapStatistics } from './statistics';

/** Looks up what a tap of a layer has measured in this step. */
export type TapLookup = (layer: LayerId, tap: Tap) => TapStatistics | undefined;

/** In the order of `COUNTS`. */
const countsOf = (tap: TapStatistics) => [
  tap.calls,
  tap.elements,
  tap.samples,
  tap.nan,
  tap.positiveInfinity,
  tap.negativeInfinity,
  tap.zero,
  tap.subnormal,
];

function valuesOf(tap: TapStatistics, { statistic }: Slot): ArrayLike<number> {
  const finite = (values: Float64Array) =>
    values.map((value, f) => ((tap.count[f] as number) > 0 ? value : NaN));
  switch (statistic) {
    case 'counts':
      return countsOf(tap);
    case 'featureMean':
      return finite(tap.mean);
    case 'featureVariance':
      return tap.squares.map((value, f) => value / (tap.count[f] as number));
    case 'featureMin':
      return finite(tap.min);
    case 'featureMax':
      return finite(tap.max);
    case 'sampleMean':
      return tap.sampleMean;
    case 'sampleVariance':
      return tap.sampleVariance;
  }
}

function fill(block: Float32Array, slot: Slot, tap: TapStatistics | undefined): void {
  const target = block.subarray(slot.offset, slot.offset + slot.length);
  if (!tap) {
    target.fill(slot.statistic === 'counts' ? 0 : NaN);
    return;
  }
  const values = valuesOf(tap, slot);
  const length = Math.min(target.length, values.length);
  for (let i = 0; i < length; i += 1) target[i] = values[i] as number;
  // Fewer samples than the slot holds.
  target.fill(NaN, length);
}

/** The tensors of a step frame. */
export function packStep(layout: Layout, lookup: TapLookup): Tensors {
  const block = new Float32Array(layout.blockLength);
  for (const slot of layout.slots) fill(block, slot, lookup(slot.layer, slot.tap));
  const rows = layout.histograms.map(({ layer, tap }) => lookup(layer, tap)?.histogram);
  return { block, ...sparse(rows) };
}
