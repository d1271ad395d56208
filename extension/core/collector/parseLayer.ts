import { layerId } from '../../protocol/ids';
import { FAMILIES, STATUS_CODES, type LayerInfo, type LayerStatus } from '../../protocol/layers';
import type { Fields } from './fields';

const MAX_AXES = 32;
const MAX_STATUS = 32;

/** Largest id, line, row or number of features that is taken in. */
export const MAX_ID = 2 ** 31;

/** The one of the choices that a text is; undefined when it is none. */
export function known<T extends string>(choices: readonly T[], value: string): T | undefined {
  return choices.find((choice) => choice === value);
}

function parseLocation(fields: Fields | null) {
  return fields && { file: fields.text('file'), line: fields.count('line', MAX_ID) };
}

function parseStatus(fields: Fields): LayerStatus[] {
  const code = known(STATUS_CODES, fields.text('code'));
  return code ? [{ code, reason: fields.text('reason') }] : [];
}

/** @throws MalformedBlob with a sentence that names what is wrong. */
export function parseLayer(fields: Fields): LayerInfo {
  return {
    id: layerId(fields.count('id', MAX_ID)),
    name: fields.text('name'),
    call: fields.count('call', MAX_ID),
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
