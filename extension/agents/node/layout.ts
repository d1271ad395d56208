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
import { MAX_HEADER_BYTES } from '../../protocol/limits';
import type { LayerRecord } from './layerRecord';

/** Longest packed block, in float32 elements; half of what a frame may hold. */
const MAX_BLOCK = 8 * 1024 * 1024;

/** Longest text of a layout; the rest of a frame's header is for the names of its parts. */
const MAX_TEXT_BYTES = MAX_HEADER_BYTES - 1024;

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

/** Bytes that a value takes in a header, which holds a layout as text within text. */
const textLength = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/**
 * Bytes that the slots of a layer take in a header; a few more rather than fewer.
 * @param end offset that none of them exceeds.
 */
function slotsTextLengthOf(record: LayerRecord, end: number): number {
  const widest = { layer: record.id, tap: 'gradPost' };
  const place = { offset: end, length: Math.max(record.featureCount, record.samples, 99) };
  const lengthOfAll = (names: readonly string[], slot: object) =>
    names.length * textLength(slot) + names.join('').length;
  const statistics = lengthOfAll(statisticsOf(record), { ...widest, statistic: '', ...place });
  const histograms = lengthOfAll(histogramsOf(record), { ...widest, of: '', row: 99_999 });
  const slot = { layer: record.id, parameter: '', ...place };
  return TAPS.length * (statistics + histograms) + lengthOfAll(record.parameters, slot);
}

/**
 * Places every statistic of every tap, and every vector of a layer, in the packed block, the layers
 * in use first. A layer for which a frame has no room, in its block or its header, gets no slots,
 * and a status that says so.
 */
export function makeLayout(id: number, records: readonly LayerRecord[]): Layout {
  const slots: Slot[] = [];
  const parameters: ParameterSlot[] = [];
  const histograms: HistogramSlot[] = [];
  let offset = 0;
  for (const record of records) record.fits = false;
  let text = textLength(records.map((record) => record.info));
  const take = (length: number) => {
    offset += length;
    return { offset: offset - length, length };
  };
  for (const record of [...records].sort((a, b) => a.idle - b.idle)) {
    const end = offset + blockLengthOf(record);
    const length = slotsTextLengthOf(record, end);
    record.fits = end <= MAX_BLOCK && text + length <= MAX_TEXT_BYTES;
    if (!record.fits) continue;
    text += length;
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
