import type { LayerInfo } from '../../protocol/layers';
import { found, type Finding } from './finding';

/** Lengths of last axes that other layers take for features. */
export function lastAxisWidths(layers: readonly LayerInfo[]): ReadonlySet<number> {
  const widths = new Set<number>();
  for (const { inputShape, featureAxes } of layers) {
    const last = inputShape.length - 1;
    if (last > 0 && featureAxes.includes(last)) widths.add(inputShape[last] as number);
  }
  return widths;
}

/**
 * Rule `bn-axis-mistake`: PyTorch's BatchNorm1d takes axis 1 of three for its channels. A batch of
 * sequences as B·S·E must be transposed for it; passed as it is, its places are taken for features,
 * silently where `num_features` is S (DEFINITIONS.md, 1, "Axes").
 *
 * A signal of C channels has the same shape, so the last axis must look like features: another
 * norm of the model takes an axis of that length for them (a warning). Where only the two axes are
 * equally long, so that the mistake would go unnoticed, it is a hint.
 *
 * @param widths - by {@link lastAxisWidths}
 */
export function axisMistake(info: LayerInfo, widths: ReadonlySet<number>): Finding | undefined {
  const { family, className, inputShape, featureAxes } = info;
  const [, channels, last] = inputShape;
  if (family !== 'batch' || !/1d$|^SyncBatchNorm$/.test(className)) return undefined;
  if (inputShape.length !== 3 || featureAxes.length !== 1 || featureAxes[0] !== 1) return undefined;
  if (channels === undefined || last === undefined) return undefined;
  if (widths.has(last) && !(widths.has(channels) && channels !== last)) {
    return found('warning', { value: channels, limit: last });
  }
  return channels === last ? found('info', { value: channels, limit: last }) : undefined;
}
