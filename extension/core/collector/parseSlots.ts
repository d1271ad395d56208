import { layerId, type LayerId } from '../../protocol/ids';
import {
  HISTOGRAMS,
  PARAMETERS,
  slotLength,
  STATISTICS,
  TAPS,
  type HistogramSlot,
  type ParameterSlot,
  type Slot,
  type Statistic,
} from '../../protocol/layers';
import { MAX_DATA_BYTES, MAX_LAYERS, MAX_SAMPLES } from '../../protocol/limits';
import { MalformedBlob } from '../../protocol/safetensors';
import type { Fields } from './fields';
import { known, MAX_ID } from './parseLayer';

/** More than all known statistics of all taps, so that newer agents may send further ones. */
export const MAX_SLOTS = MAX_LAYERS * TAPS.length * 32;
/** Likewise of all parameters. */
export const MAX_PARAMETER_SLOTS = MAX_LAYERS * 32;
/** Likewise of all histograms. */
export const MAX_HISTOGRAM_SLOTS = MAX_LAYERS * TAPS.length * 8;
export const MAX_BLOCK = MAX_DATA_BYTES / Float32Array.BYTES_PER_ELEMENT;

/** What slots are checked against. */
export interface SlotContext {
  /** Features of each layer of the layout. */
  readonly features: ReadonlyMap<LayerId, number>;
  readonly blockLength: number;
}

/** Lists of figures that a newer agent may have added to. */
const MAY_BE_LONGER = new Set<Statistic>(['counts', 'whole', 'unpaddedWhole']);

/** @throws MalformedBlob when a slot's length is not what its statistic has. */
function checkLength(statistic: Statistic, length: number, features: number): void {
  const refuse = (why: string) => new MalformedBlob(`A "${statistic}" slot of the layout ${why}.`);
  const wanted = slotLength(statistic, features, MAX_SAMPLES);
  if (statistic.startsWith('sample')) {
    if (length > wanted) throw refuse(`is longer than ${wanted} samples`);
  } else if (MAY_BE_LONGER.has(statistic)) {
    if (length < wanted) throw refuse(`is shorter than ${wanted}`);
  } else if (length !== wanted) {
    throw refuse(
      statistic === 'extremeRows'
        ? `has ${length} values instead of ${wanted}`
        : `has ${length} values for ${wanted} features`,
    );
  }
}

interface Place {
  readonly layer: LayerId;
  readonly offset: number;
  readonly length: number;
  readonly features: number;
}

/** A place within the block of a known layer. */
function parsePlace(fields: Fields, { features, blockLength }: SlotContext): Place {
  const layer = layerId(fields.count('layer', MAX_ID));
  const offset = fields.count('offset', MAX_BLOCK);
  const length = fields.count('length', MAX_BLOCK);
  const count = features.get(layer);
  if (count === undefined) throw new MalformedBlob('A slot of the layout belongs to no layer.');
  if (offset + length > blockLength) {
    throw new MalformedBlob('A slot of the layout reaches beyond the block.');
  }
  return { layer, offset, length, features: count };
}

/** Nothing for a tap or statistic that is not known here. */
export function parseSlot(fields: Fields, context: SlotContext): Slot[] {
  const { features, ...place } = parsePlace(fields, context);
  const tap = known(TAPS, fields.text('tap'));
  const statistic = known(STATISTICS, fields.text('statistic'));
  if (!tap || !statistic) return [];
  checkLength(statistic, place.length, features);
  return [{ ...place, tap, statistic }];
}

/** Nothing for a parameter that is not known here. */
export function parseParameterSlot(fields: Fields, context: SlotContext): ParameterSlot[] {
  const { features, ...place } = parsePlace(fields, context);
  const parameter = known(PARAMETERS, fields.text('parameter'));
  if (!parameter) return [];
  if (place.length !== features) {
    throw new MalformedBlob(
      `A "${parameter}" slot of the layout has ${place.length} values for ${features} features.`,
    );
  }
  return [{ ...place, parameter }];
}

/** Nothing for a tap or a kind of histogram that is not known here. */
export function parseHistogramSlot(fields: Fields, context: SlotContext): HistogramSlot[] {
  const layer = layerId(fields.count('layer', MAX_ID));
  const tap = known(TAPS, fields.text('tap'));
  const of = known(HISTOGRAMS, fields.text('of'));
  const row = fields.count('row', MAX_HISTOGRAM_SLOTS);
  if (!context.features.has(layer)) {
    throw new MalformedBlob('A histogram of the layout belongs to no layer.');
  }
  return tap && of ? [{ layer, tap, of, row }] : [];
}
