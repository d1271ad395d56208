import type { Layout } from '../../protocol/frames';
import { layoutId } from '../../protocol/ids';
import { MAX_LAYERS } from '../../protocol/limits';
import { MalformedBlob } from '../../protocol/safetensors';
import type { Fields } from './fields';
import { parseLayer } from './parseLayer';
import {
  MAX_BLOCK,
  MAX_HISTOGRAM_SLOTS,
  MAX_PARAMETER_SLOTS,
  MAX_SLOTS,
  parseHistogramSlot,
  parseParameterSlot,
  parseSlot,
} from './parseSlots';

const unique = (keys: readonly (string | number)[]) => new Set(keys).size === keys.length;

/**
 * Reading a step costs what its slots hold together, so they may not hold more than the block, nor
 * histograms share a row.
 *
 * @throws MalformedBlob when slots share what they hold or their place.
 */
function checkTogether(layout: Omit<Layout, 'kind' | 'layoutId' | 'layers'>): void {
  const { slots, parameters, histograms, blockLength } = layout;
  if (!unique(slots.map(({ layer, tap, statistic }) => `${layer} ${tap} ${statistic}`))) {
    throw new MalformedBlob('Two slots of the layout hold the same statistic of one tap.');
  }
  if (!unique(parameters.map(({ layer, parameter }) => `${layer} ${parameter}`))) {
    throw new MalformedBlob('Two slots of the layout hold the same vector of one layer.');
  }
  if (!unique(histograms.map(({ layer, tap, of }) => `${layer} ${tap} ${of}`))) {
    throw new MalformedBlob('Two histograms of the layout count the same of one tap.');
  }
  if (!unique(histograms.map(({ row }) => row))) {
    throw new MalformedBlob('Two histograms of the layout share a row.');
  }
  const total = [...slots, ...parameters].reduce((sum, { length }) => sum + length, 0);
  if (total > blockLength) {
    throw new MalformedBlob(
      `The slots of the layout hold ${total} values where its block has ${blockLength}.`,
    );
  }
}

/** @throws MalformedBlob with a sentence that names what is wrong. */
export function parseLayout(fields: Fields): Layout {
  const layers = fields.objects('layers', MAX_LAYERS).map(parseLayer);
  const features = new Map(layers.map((layer) => [layer.id, layer.features]));
  if (features.size !== layers.length) {
    throw new MalformedBlob('Two layers of the layout share an id.');
  }
  const blockLength = fields.count('blockLength', MAX_BLOCK);
  const context = { features, blockLength };
  const slots = fields.objects('slots', MAX_SLOTS).flatMap((slot) => parseSlot(slot, context));
  const parameters = fields
    .objects('parameters', MAX_PARAMETER_SLOTS)
    .flatMap((slot) => parseParameterSlot(slot, context));
  const histograms = fields
    .objects('histograms', MAX_HISTOGRAM_SLOTS)
    .flatMap((slot) => parseHistogramSlot(slot, context));
  checkTogether({ slots, parameters, histograms, blockLength });
  return {
    kind: 'layout',
    layoutId: layoutId(fields.count('layoutId')),
    layers,
    slots,
    parameters,
    histograms,
    blockLength,
  };
}
