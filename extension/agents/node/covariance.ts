/** Most products that a covariance takes: fewer rows, taken evenly, where there are many features. */
const MAX_PRODUCTS = 2 ** 27;

export interface Covariance {
  /** [F] */
  readonly mean: Float32Array;
  /** [F · F], biased. */
  readonly covariance: Float32Array;
  /** Rows it is taken over. */
  readonly rows: number;
}

/** Rows without NaN or Inf, as one run of values a feature: [features · rows]. */
function columns(matrix: Float32Array, features: number, most: number) {
  const finite: number[] = [];
  const rows = Math.floor(matrix.length / features);
  for (let row = 0; row < rows; row += 1) {
    let sum = 0;
    for (let f = 0; f < features; f += 1) sum += Math.abs(matrix[row * features + f] as number);
    if (Number.isFinite(sum)) finite.push(row);
  }
  const stride = Math.max(1, Math.ceil(finite.length / most));
  const taken = finite.filter((_, index) => index % stride === 0);
  const n = taken.length;
  const values = new Float64Array(features * n);
  taken.forEach((row, i) => {
    for (let f = 0; f < features; f += 1) values[f * n + i] = matrix[row * features + f] as number;
  });
  return { values, n };
}

/** Takes its mean off each column; returns the means. */
function centre(values: Float64Array, features: number, n: number): Float32Array {
  return Float32Array.from({ length: features }, (_, f) => {
    const column = values.subarray(f * n, (f + 1) * n);
    let mean = 0;
    for (const value of column) mean += value / n;
    for (let i = 0; i < n; i += 1) column[i] = (column[i] as number) - mean;
    return n > 0 ? mean : NaN;
  });
}

/**
 * Mean and covariance of the features over rows of finite values, in float64.
 * @param matrix [rows · F]
 */
export function covarianceOf(matrix: Float32Array, features: number): Covariance {
  const most = Math.max(2, Math.floor((2 * MAX_PRODUCTS) / (features * features)));
  const { values, n } = columns(matrix, features, most);
  const mean = centre(values, features, n);
  const covariance = new Float32Array(features * features);
  for (let a = 0; a < features; a += 1) {
    for (let b = a; b < features; b += 1) {
      // Four sums: one would wait for each addition before the next.
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let i = a * n;
      let j = b * n;
      const end = i + n;
      for (; i + 3 < end; i += 4, j += 4) {
        s0 += (values[i] as number) * (values[j] as number);
        s1 += (values[i + 1] as number) * (values[j + 1] as number);
        s2 += (values[i + 2] as number) * (values[j + 2] as number);
        s3 += (values[i + 3] as number) * (values[j + 3] as number);
      }
      for (; i < end; i += 1, j += 1) s0 += (values[i] as number) * (values[j] as number);
      const value = (s0 + s1 + s2 + s3) / n;
      covariance[a * features + b] = value;
      covariance[b * features + a] = value;
    }
  }
  return { mean, covariance, rows: n };
}
