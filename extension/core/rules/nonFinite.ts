import type { LayerId } from '../../protocol/ids';
import type { Tap } from '../../protocol/layers';
import { found, type Finding } from './finding';
import type { PlacedFinding } from './spells';

/** NaN and infinite values at the taps of one layer; 0 or NaN where there are none. */
export type NonFiniteCounts = Readonly<Record<Tap, number>>;

/**
 * Rule `nonfinite`: a tap holds NaN or an infinite value (SageMaker's ExplodingTensor;
 * DEFINITIONS.md, 7). There is no threshold and no exception.
 *
 * Such values spread: forward to every later layer, backward to every earlier one. So one place is
 * named, at which they appear first: going forward, the first layer in model order whose input
 * (then they come from before it) or output (then it made them) holds one. Only where all forward
 * values are finite, the same going backward: the last layer whose dL/dy (from behind it) or dL/dx
 * (its own backward pass) holds one. All others are counted.
 */
export class NonFiniteSearch {
  private forward: PlacedFinding | undefined;
  private backward: PlacedFinding | undefined;
  private layers = 0;

  /** Takes in a layer; to be called in model order. */
  add(layer: LayerId, counts: NonFiniteCounts): void {
    const ahead = firstOf(counts, 'pre', 'post');
    const back = firstOf(counts, 'gradPost', 'gradPre');
    if (!ahead && !back) return;
    this.layers++;
    if (ahead) this.forward ??= { layer, ...ahead };
    if (back) this.backward = { layer, ...back };
  }

  /** The place; undefined when everything is finite. Begins the next step. */
  end(): PlacedFinding | undefined {
    const place = this.forward ?? this.backward;
    const { layers } = this;
    this.forward = this.backward = undefined;
    this.layers = 0;
    return place && { ...place, layers };
  }
}

function firstOf(counts: NonFiniteCounts, first: Tap, second: Tap): Finding | undefined {
  const tap = counts[first] > 0 ? first : second;
  return counts[tap] > 0 ? found('error', { tap, value: counts[tap] }) : undefined;
}
