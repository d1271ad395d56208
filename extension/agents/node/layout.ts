import type { Layout } from '../../protocol/frames';
import { layoutId } from '../../protocol/ids';
import {
  HISTOGRAMS,
  slotLength,
  STATISTICS,
  TAPS,
  type HistogramOf,
  type HistogramSlot,
  type ParameterSlot,
  type Slot,
  type Statistic,
} from '../../protocol/layers';
import type { LayerRecord } from './layerRecord';

/** Longest packed block, in float32 elements; half of what a frame may hold. */
const MAX_BLOCK = 8 * 1024 * 1024;

const lengthOf = (statistic: Statistic, record: LayerRecord) =>
  slotLength(statistic, record.featureCount, record.samples);

function statisticsOf(record: LayerRecord): Statistic[] {
  return STATISTICS.filter((statistic) => {
    if (statistic === 'extremeRows') return record.hasRowStatistics;
    return !statistic.startsWith('unpadded') || record.isPadded;
  });
}

const histogramsOf = (record: LayerRecord): readonly HistogramOf[] =>
  record.hasRowStatistics ? HISTOGRAMS : ['values'];

/** Elements that a layer takes in the packed block. */
function blockLengthOf(record: LayerRecord): number {
  const tap = statisticsOf(record).reduce((sum, name) => sum + lengthOf(name, record), 0);
  return tap * TAPS.length + record.parameters.length * record.featureCount;
}

/**
 * Places every statistic of every tap, and every vector of a layer, in the packed block. A layer
 * for which the block has no room gets no slots, and a status that says so.
 */
export function makeLayout(id: number, records: readonly LayerRecord[]): Layout {
  const slots: Slot[] = [];
  const parameters: ParameterSlot[] = [];
  const histograms: HistogramSlot[] = [];
  let offset = 0;
  const take = (length: number) => {
    offset += length;
    return { offset: offset - length, length };
  };
  for (const record of records) {
    record.fits = offset + blockLengthOf(record) <= MAX_BLOCK;
    if (!record.fits) continue;
    const layer = record.id;
    for (const tap of TAPS) {
      for (const of of histogramsOf(record)) {
        histograms.push({ layer, tap, of, row: histograms.length });
      }
      for (const statistic of statisticsOf(record)) {
        slots.push({ layer, tap, statistic, ...take(lengthOf(statistic, record)) });
      }
    }
    for (const parameter of record.parameters) {
      parameters.push({ layer, parameter, ...take(record.featureCount) });
    }
  }
  return {
    kind: 'layout',
    layoutId: layoutId(id),
    layers: records.map((record) => record.info),
    slots,
    parameters,
    histograms,
    blockLength: offset,
  };
}
