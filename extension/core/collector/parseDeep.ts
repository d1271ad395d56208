import type { SparseHistograms } from '../../protocol/bitBins';
import type { Deep } from '../../protocol/frames';
import { layerId } from '../../protocol/ids';
import { TAPS, type Tap } from '../../protocol/layers';
import { MAX_COVARIANCE_FEATURES, MAX_RAW_ROWS, MAX_SAMPLES } from '../../protocol/limits';
import { MalformedBlob, type Tensors } from '../../protocol/safetensors';
import type { DeepTap, DeepTaps } from '../frames/receivedFrame';
import type { Fields } from './fields';
import { checkHistograms, tensorOf } from './parseHistograms';
import { known, MAX_ID } from './parseLayer';

const WHERE = 'A deep frame';

/** @throws MalformedBlob when a number is missing or out of bounds. */
export function parseDeep(fields: Fields): Deep {
  const named = fields.texts('taps', 2 * TAPS.length).flatMap((name) => known(TAPS, name) ?? []);
  return {
    kind: 'deep',
    layer: layerId(fields.count('layer', MAX_ID)),
    step: fields.count('step'),
    features: fields.count('features', MAX_ID),
    taps: TAPS.filter((tap) => named.includes(tap)),
  };
}

function histogramsOf(
  tensors: Tensors,
  name: string,
  fits: (rows: number) => boolean,
): SparseHistograms | undefined {
  const parts = [`${name}Splits`, `${name}Bins`, `${name}Counts`] as const;
  if (!parts.some((part) => Object.hasOwn(tensors, part))) return undefined;
  const histograms = {
    splits: tensorOf(WHERE, tensors, parts[0], Uint32Array),
    bins: tensorOf(WHERE, tensors, parts[1], Uint16Array),
    counts: tensorOf(WHERE, tensors, parts[2], Uint32Array),
  };
  if (!fits(histograms.splits.length - 1)) {
    throw new MalformedBlob(
      `The "${name}" histograms of a deep frame have a wrong number of rows.`,
    );
  }
  checkHistograms(`The "${name}" histograms of a deep frame`, histograms);
  return histograms;
}

function covarianceOf(tensors: Tensors, tap: Tap, features: number): DeepTap['covariance'] {
  const [meanName, covarianceName] = [`${tap}.mean`, `${tap}.covariance`] as const;
  if (!Object.hasOwn(tensors, covarianceName)) return undefined;
  const mean = tensorOf(WHERE, tensors, meanName, Float32Array);
  const matrix = tensorOf(WHERE, tensors, covarianceName, Float32Array);
  if (features > MAX_COVARIANCE_FEATURES) {
    throw new MalformedBlob(
      `A deep frame has the covariance of ${features} features; at most ` +
        `${MAX_COVARIANCE_FEATURES} are accepted.`,
    );
  }
  if (mean.length !== features || matrix.length !== features * features) {
    throw new MalformedBlob(`A deep frame has a covariance that is not of ${features} features.`);
  }
  const [rows] = tensorOf(WHERE, tensors, `${tap}.covarianceRows`, Uint32Array);
  if (rows === undefined) {
    throw new MalformedBlob('A deep frame does not say of how many rows a covariance is.');
  }
  return { mean, matrix, rows };
}

function rowsOf(tensors: Tensors, tap: Tap, features: number): DeepTap['rows'] {
  const [valuesName, indicesName] = [`${tap}.rows`, `${tap}.rowIndices`] as const;
  if (!Object.hasOwn(tensors, valuesName)) return undefined;
  const values = tensorOf(WHERE, tensors, valuesName, Float32Array);
  const indices = tensorOf(WHERE, tensors, indicesName, Uint32Array);
  if (indices.length > MAX_RAW_ROWS) {
    throw new MalformedBlob(
      `A deep frame has ${indices.length} rows; at most ${MAX_RAW_ROWS} are accepted.`,
    );
  }
  if (values.length !== indices.length * features) {
    throw new MalformedBlob(`A deep frame has rows that are not of ${features} features.`);
  }
  return { values, indices };
}

/**
 * The tensors of a deep frame by tap. What a tap does not have is undefined.
 * @throws MalformedBlob when a tensor is of another dtype or length, or not consistent.
 */
export function parseDeepTaps(tensors: Tensors, { taps, features }: Deep): DeepTaps {
  const read = (tap: Tap): DeepTap => ({
    featureHistograms: histogramsOf(tensors, `${tap}.feature`, (rows) => rows === features),
    sampleHistograms: histogramsOf(
      tensors,
      `${tap}.sample`,
      (rows) => rows >= 0 && rows <= MAX_SAMPLES,
    ),
    covariance: covarianceOf(tensors, tap, features),
    rows: rowsOf(tensors, tap, features),
  });
  return Object.fromEntries(taps.map((tap) => [tap, read(tap)]));
}
