/** How the values of a row-major tensor fall into samples, rows and features. */
export class FeatureMap {
  readonly features: number;
  /** Values of one sample: one index of axis 0. */
  readonly sampleLength: number;
  /** Values along the last axis. */
  readonly rowLength: number;
  /** Rows of one sample: positions that all features share. */
  readonly rowsPerSample: number;
  /**
   * Where the feature axes lie side by side: values from one feature to the next, which are those of
   * the axes behind them. Otherwise 0.
   */
  readonly inner: number;
  private features_: Int32Array | undefined;
  private rows_: Int32Array | undefined;

  constructor(
    private readonly sampleShape: readonly number[],
    private readonly axes: readonly number[],
  ) {
    const sizeOf = (axis: number) => sampleShape[axis] ?? 1;
    const product = (of: readonly number[]) => of.reduce((total, axis) => total * sizeOf(axis), 1);
    const all = sampleShape.map((_, axis) => axis);
    const [first = 0] = axes;
    const last = axes.at(-1) ?? 0;
    this.features = product(axes);
    this.sampleLength = product(all);
    this.rowLength = sampleShape.at(-1) ?? 1;
    this.rowsPerSample = product(this.otherAxes);
    this.inner = last - first + 1 === axes.length ? product(all.slice(last + 1)) : 0;
  }

  /** Whether a row is a run of values, one after another. */
  get hasWholeRows(): boolean {
    return this.inner === 1;
  }

  /** Feature of each value of a sample, in memory order. */
  get featureAt(): Int32Array {
    this.features_ ??= this.positions(this.axes);
    return this.features_;
  }

  /** Row within its sample of each value of a sample, in memory order. */
  get rowAt(): Int32Array {
    this.rows_ ??= this.positions(this.otherAxes);
    return this.rows_;
  }

  private get otherAxes(): number[] {
    return this.sampleShape.map((_, axis) => axis).filter((axis) => !this.axes.includes(axis));
  }

  /** Index of each value over the given axes, flattened. */
  private positions(axes: readonly number[]): Int32Array {
    const { sampleShape, sampleLength } = this;
    const strides = new Array<number>(sampleShape.length).fill(0);
    let total = 1;
    for (const axis of [...axes].reverse()) {
      strides[axis] = total;
      total *= sampleShape[axis] ?? 1;
    }
    const positions = new Int32Array(sampleLength);
    const index = new Array<number>(sampleShape.length).fill(0);
    let position = 0;
    for (let at = 0; at < sampleLength; at += 1) {
      positions[at] = position;
      for (let axis = sampleShape.length - 1; axis >= 0; axis -= 1) {
        const stride = strides[axis] ?? 0;
        const size = sampleShape[axis] ?? 1;
        const next = (index[axis] ?? 0) + 1;
        if (next < size) {
          index[axis] = next;
          position += stride;
          break;
        }
        index[axis] = 0;
        position -= stride * (size - 1);
      }
    }
    return positions;
  }
}

/**
 * The map of a tensor.
 * @param shape with axis 0 as the batch axis.
 * @param axes feature axes in ascending order, none of them 0.
 */
export const featureMap = (shape: readonly number[], axes: readonly number[]): FeatureMap =>
  new FeatureMap(
    shape.slice(1),
    axes.map((axis) => axis - 1),
  );
