import type { Deep } from '../../protocol/frames';
import type { LayerId } from '../../protocol/ids';
import { TAPS, type Tap } from '../../protocol/layers';
import { MAX_COVARIANCE_FEATURES, MAX_RAW_ROWS, MAX_SAMPLES } from '../../protocol/limits';
import type { TensorData, Tensors } from '../../protocol/safetensors';
import { covarianceOf } from './covariance';
import type { FeatureMap } from './featureMap';
import { groupHistograms, type Group } from './histogram';
import { asRows } from './padding';

/** Most values of a tap that are looked at in depth; beyond, rows are taken evenly. */
const MAX_VALUES = 1024 * 1024;
/** Most values of the raw rows of a tap. */
const MAX_RAW_VALUES = 1024 * 1024;

export interface DeepFrame {
  readonly frame: Deep;
  readonly tensors: Tensors;
}

interface DeepLayer {
  features: number;
  readonly taps: Tap[];
  readonly tensors: Record<string, TensorData>;
}

/** `most` of `count` indices, spread evenly. */
function evenly(count: number, most: number): Uint32Array {
  const taken = Math.min(count, Math.max(1, most));
  return Uint32Array.from({ length: taken }, (_, i) => Math.floor((i * count) / taken));
}

function rowsAt(matrix: Float32Array, features: number, indices: Uint32Array): Float32Array {
  const rows = new Float32Array(indices.length * features);
  indices.forEach((row, i) => {
    rows.set(matrix.subarray(row * features, (row + 1) * features), i * features);
  });
  return rows;
}

/** Where the rows of each sample lie among those taken. */
function runsOfSamples(taken: Uint32Array, samples: number, map: FeatureMap): Group[] {
  const { features, rowsPerSample } = map;
  let end = 0;
  return Array.from({ length: samples }, (_, sample) => {
    const start = end;
    while (end < taken.length && (taken[end] as number) < (sample + 1) * rowsPerSample) end += 1;
    return { start: start * features, end: end * features, stride: 1 };
  });
}

/** What one step captures in depth: of each due layer the first call, each tap on its own. */
export class DeepRecorder {
  private readonly layers = new Map<LayerId, DeepLayer>();

  constructor(private readonly due: ReadonlySet<LayerId>) {}

  /** @param values row-major, with axis 0 as the batch axis. */
  add(layer: LayerId, tap: Tap, values: Float32Array, map: FeatureMap): void {
    if (!this.due.has(layer) || values.length === 0) return;
    const { features, rowsPerSample } = map;
    const deep = this.layers.get(layer) ?? { features, taps: [], tensors: {} };
    this.layers.set(layer, deep);
    if (deep.taps.includes(tap) || deep.features !== features) return;
    deep.taps.push(tap);
    const matrix = asRows(values, map);
    const count = Math.floor(matrix.length / features);
    const samples = Math.min(Math.ceil(count / rowsPerSample), MAX_SAMPLES);
    const some = evenly(count, Math.max(samples, Math.floor(MAX_VALUES / features)));
    const rows = some.length === count ? matrix : rowsAt(matrix, features, some);
    const put = (name: string, data: TensorData) => (deep.tensors[`${tap}.${name}`] = data);
    const columns = Array.from({ length: features }, (_, f) => ({
      start: f,
      end: rows.length,
      stride: features,
    }));
    const perFeature = groupHistograms(rows, columns);
    put('featureSplits', perFeature.splits);
    put('featureBins', perFeature.bins);
    put('featureCounts', perFeature.counts);
    const perSample = groupHistograms(rows, runsOfSamples(some, samples, map));
    put('sampleSplits', perSample.splits);
    put('sampleBins', perSample.bins);
    put('sampleCounts', perSample.counts);
    const isValue = tap === 'pre' || tap === 'post';
    if (isValue && features <= MAX_COVARIANCE_FEATURES) {
      const { mean, covariance, rows: taken } = covarianceOf(rows, features);
      put('mean', mean);
      put('covariance', covariance);
      put('covarianceRows', Uint32Array.of(taken));
    }
    if (tap !== 'pre' && tap !== 'gradPost') return;
    const raw = evenly(count, Math.min(MAX_RAW_ROWS, Math.floor(MAX_RAW_VALUES / features)));
    put('rows', rowsAt(matrix, features, raw));
    put('rowIndices', raw);
  }

  frames(step: number): DeepFrame[] {
    return [...this.layers].map(([layer, { features, taps, tensors }]) => ({
      frame: {
        kind: 'deep',
        layer,
        step,
        features,
        taps: TAPS.filter((tap) => taps.includes(tap)),
      },
      tensors,
    }));
  }
}
