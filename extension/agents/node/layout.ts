import type { Layout } from '../../protocol/frames';
import { layoutId } from '../../protocol/ids';
import {
  COUNTS,
  STATISTICS,
  TAPS,
  type HistogramSlot,
  type Slot,
  type Statistic,
} from '../../protocol/layers';
import type { LayerRecord } from './layerRecord';

/** Longest packed block, in float32 elements; half of what a frame may hold. */
const MAX_BLOCK = 8 * 1024 * 1024;

function lengthOf(statistic: Statistic, features: number, samples: number): number {
  if (statistic === 'counts') return COUNTS.length;
  return statistic.startsWith('sample') ? samples : features;
}

/**
 * Places every statistic of every tap in the packed block. A layer for which the block has no room
 * gets no slots, and a status that says so.
 */
export function makeLayout(id: number, records: readonly LayerRecord[]): Layout {
  const slots: Slot[] = [];
  const histograms: HistogramSlot[] = [];
  let offset = 0;
  for (const record of records) {
    const { features } = record.info;
    const lengths = STATISTICS.map((name) => lengthOf(name, features, record.samples));
    const tapLength = lengths.reduce((sum, length) => sum + length, 0);
    record.fits = offset + tapLength * TAPS.length <= MAX_BLOCK;
    if (!record.fits) continue;
    for (const tap of TAPS) {
      histograms.push({ layer: record.id, tap, row: histograms.length });
      for (const statistic of STATISTICS) {
        const length = lengthOf(statistic, features, record.samples);
        slots.push({ layer: record.id, tap, statistic, offset, length });
        offset += length;
      }
    }
  }
  return {
    kind: 'layout',
    layoutId: layoutId(id),
    layers: records.map((record) => record.info),
    slots,
    histograms,
    blockLength: offset,
  };
}
