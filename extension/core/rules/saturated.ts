import type { Family } from '../../protocol/layers';
import { found, type Finding } from './finding';

/**
 * Rule `saturated`: more than half of y lies beyond ±2.09, where a tanh behind the layer is flat
 * (`valueShares.ts`); N(0, 1), which a layer without gain and offset gives, has 3.7 % there. The
 * limit is SageMaker's `threshold_layer` of SaturatedActivation (DEFINITIONS.md, 7).
 *
 * The gain counts: what an activation gets is y with γ and β, and without them no more than
 * 1/2.09² = 23 % could ever lie there. What follows the layer is not known: a layer or RMS norm
 * mostly feeds a linear map, to which large values do no harm, so there it is a hint only.
 *
 * @param value - share of y
 */
export function saturated(family: Family, value: number, limit: number): Finding | undefined {
  if (!(value >= limit)) return undefined;
  const rows = family === 'layer' || family === 'rms';
  return found(rows ? 'info' : 'warning', { tap: 'post', value, limit });
}
