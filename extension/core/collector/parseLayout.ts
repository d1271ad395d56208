import type { Layout } from '../../protocol/frames';
import { layerId, layoutId, type LayerId } from '../../protocol/ids';
import {
  COUNTS,
  FAMILIES,
  STATISTICS,
  TAPS,
  type HistogramSlot,
  type LayerInfo,
  type LayerStatus,
  type Slot,
  type Statistic,
} from '../../protocol/layers';
import { MAX_DATA_BYTES, MAX_LAYERS, MAX_SAMPLES } from '../../protocol/limits';
import { MalformedBlob } from '../../protocol/safetensors';
import type { Fields } from './fields';

const MAX_AXES = 32;
const MAX_STATUS = 32;
/** More than all known statistics of all taps, so that newer agents may send further ones. */
const MAX_SLOTS = MAX_LAYERS * TAPS.length * 32;
const MAX_BLOCK = MAX_DATA_BYTES / Float32Array.BYTES_PER_ELEMENT;
const MAX_ID = 2 ** 31;

const STATUS_CODES = [
  'shared',
  'eval',
  'accumulated',
  'recomputed',
  'scaled',
  'compiled',
  'unsupported',
  'sampled',
] as const satisfies readonly LayerStatus['code'][];

function known<T extends string>(choices: readonly T[], value: string): T | undefined {
  return choices.find((choice) => choice === value);
}

function parseLocation(fields: Fields | null) {
  return fields && { file: fields.text('file'), line: fields.count('line', MAX_ID) };
}

function parseStatus(fields: Fields): LayerStatus[] {
  const code = known(STATUS_CODES, fields.text('code'));
  return code ? [{ code, reason: fields.text('reason') }] : [];
}

function parseLayer(fields: Fields): LayerInfo {
  return {
    id: layerId(fields.count('id', MAX_ID)),
    name: fields.text('name'),
    className: fields.text('className'),
    family: fields.choice('family', FAMILIES, 'other'),
    features: fields.count('features', MAX_ID),
    featureAxes: fields.counts('featureAxes', MAX_AXES),
    normalizedAxes: fields.counts('normalizedAxes', MAX_AXES),
    inputShape: fields.counts('inputShape', MAX_AXES),
    dtype: fields.text('dtype'),
    eps: fields.numberOrNull('eps'),
    momentum: fields.numberOrNull('momentum'),
    constructedAt: parseLocation(fields.objectOrNull('constructedAt')),
    calledAt: parseLocation(fields.objectOrNull('calledAt')),
    status: fields.objects('status', MAX_STATUS).flatMap(parseStatus),
  };
}

type Features = ReadonlyMap<LayerId, number>;

/** @throws MalformedBlob when a slot's length is not what its statistic has. */
function checkLength(statistic: Statistic, length: number, features: number): void {
  if (statistic === 'counts') {
    if (length >= COUNTS.length) return;
    throw new MalformedBlob(`A "counts" slot of the layout is shorter than ${COUNTS.length}.`);
  }
  if (statistic.startsWith('sample')) {
    if (length <= MAX_SAMPLES) return;
    throw new MalformedBlob(
      `A "${statistic}" slot of the layout is longer than ${MAX_SAMPLES} samples.`,
    );
  }
  if (length !== features) {
    throw new MalformedBlob(
      `A "${statistic}" slot of the layout has ${length} values for ${features} features.`,
    );
  }
}

/** A slot within the block of a known layer; nothing for a tap or statistic not known here. */
function parseSlot(fields: Fields, layers: Features, blockLength: number): Slot[] {
  const layer = layerId(fields.count('layer', MAX_ID));
  const tap = known(TAPS, fields.text('tap'));
  const statistic = known(STATISTICS, fields.text('statistic'));
  const offset = fields.count('offset', MAX_BLOCK);
  const length = fields.count('length', MAX_BLOCK);
  const features = layers.get(layer);
  if (features === undefined) {
    throw new MalformedBlob('A slot of the layout belongs to no layer.');
  }
  if (offset + length > blockLength) {
    throw new MalformedBlob('A slot of the layout reaches beyond the block.');
  }
  if (!tap || !statistic) return [];
  checkLength(statistic, length, features);
  return [{ layer, tap, statistic, offset, length }];
}

/**
 * Reading a step costs what its slots hold together, so they may not hold more than the block.
 *
 * @throws MalformedBlob when slots share a statistic or their place.
 */
function checkTogether(slots: readonly Slot[], blockLength: number): void {
  const named = new Set(slots.map(({ layer, tap, statistic }) => `${layer} ${tap} ${statistic}`));
  if (named.size !== slots.length) {
    throw new MalformedBlob('Two slots of the layout hold the same statistic of one tap.');
  }
  const total = slots.reduce((sum, { length }) => sum + length, 0);
  if (total > blockLength) {
    throw new MalformedBlob(
      `The slots of the layout hold ${total} values where its block has ${blockLength}.`,
    );
  }
}

function parseHistogram(fields: Fields, layers: Features): HistogramSlot[] {
  const layer = layerId(fields.count('layer', MAX_ID));
  const tap = known(TAPS, fields.text('tap'));
  const row = fields.count('row', MAX_SLOTS);
  if (!layers.has(layer)) throw new MalformedBlob('A histogram of the layout belongs to no layer.');
  return tap ? [{ layer, tap, row }] : [];
}

/** @throws MalformedBlob with a sentence that names what is wrong. */
export function parseLayout(fields: Fields): Layout {
  const layers = fields.objects('layers', MAX_LAYERS).map(parseLayer);
  const ids = new Map(layers.map((layer) => [layer.id, layer.features]));
  if (ids.size !== layers.length) throw new MalformedBlob('Two layers of the layout share an id.');
  const blockLength = fields.count('blockLength', MAX_BLOCK);
  const slots = fields
    .objects('slots', MAX_SLOTS)
    .flatMap((slot) => parseSlot(slot, ids, blockLength));
  checkTogether(slots, blockLength);
  return {
    kind: 'layout',
    layoutId: layoutId(fields.count('layoutId')),
    layers,
    slots,
    histograms: fields
      .objects('histograms', MAX_LAYERS * TAPS.length)
      .flatMap((slot) => parseHistogram(slot, ids)),
    blockLength,
  };
}
