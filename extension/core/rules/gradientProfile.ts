import type { LayerId } from '../../protocol/ids';
import { found } from './finding';
import type { PlacedFinding } from './spells';

/**
 * Rules `vanishing-gradient` and `gradient-imbalance`: the gradient over the depth of the model.
 *
 * A gradient's size is ‖dL/dy‖₂/√F: the root mean square, over the F features, of the norms of
 * their columns. The gradient of a γ is of that size when rows are independent, so that thresholds
 * for gradients of weights hold, and it changes with the number of rows only as 1/√rows where the
 * loss is a mean (a root mean square over values: as 1/rows). dL/dx has a factor 1/σ besides, which
 * says how large x is.
 *
 * - `vanishing-gradient`: the size is below 1e-7, SageMaker's threshold for the mean absolute
 *   gradient (DEFINITIONS.md, 7). What is lost stays lost for the layers before, so the last layer
 *   in model order is named and the others are counted.
 * - `gradient-imbalance`: the largest size is 1000 times the smallest one. No source names a
 *   number; within a healthy model it is tens. The layer with the smallest is named, the one with
 *   the largest is `other`. Silent while gradients vanish, which says it already.
 */
export class GradientProfile {
  private vanished: PlacedFinding | undefined;
  private layers = 0;
  private smallest = Number.POSITIVE_INFINITY;
  private largest = 0;
  private weakest: LayerId | undefined;
  private strongest: LayerId | null = null;

  /**
   * Takes in a layer; to be called in model order.
   * @param size - see above; NaN where the layer has no gradient
   * @param limit - below which it has vanished
   */
  add(layer: LayerId, size: number, limit: number): void {
    if (size < limit) {
      this.layers++;
      this.vanished = { layer, ...found('warning', { tap: 'gradPost', value: size, limit }) };
    }
    if (!(size > 0) || !Number.isFinite(size)) return;
    if (size < this.smallest) {
      this.smallest = size;
      this.weakest = layer;
    }
    if (size > this.largest) {
      this.largest = size;
      this.strongest = layer;
    }
  }

  vanishing(): PlacedFinding | undefined {
    return this.vanished && { ...this.vanished, layers: this.layers };
  }

  imbalance(limit: number): PlacedFinding | undefined {
    const value = this.largest / this.smallest;
    const { weakest: layer, strongest: other } = this;
    if (this.vanished || layer === undefined || !(value >= limit)) return undefined;
    return { layer, ...found('warning', { tap: 'gradPost', value, limit, other }) };
  }

  /** Begins the next step. */
  clear(): void {
    this.vanished = undefined;
    this.weakest = undefined;
    this.strongest = null;
    this.layers = this.largest = 0;
    this.smallest = Number.POSITIVE_INFINITY;
  }
}
