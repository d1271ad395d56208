/** A matrix by rows. */
export type Matrix = readonly (readonly number[])[];

function product(a: Matrix, b: Matrix): Matrix {
  return a.map((row) =>
    (b[0] ?? []).map((_, j) =>
      row.reduce((sum, value, k) => sum + value * (b[k]?.[j] ?? Number.NaN), 0),
    ),
  );
}

const transposed = (a: Matrix): Matrix =>
  (a[0] ?? []).map((_, j) => a.map((row) => row[j] ?? Number.NaN));

/** Mean over all elements of (x W₁…W_k − y)², and its gradient by each matrix. */
export function linearNet(
  weights: readonly Matrix[],
  x: Matrix,
  y: Matrix,
): { readonly loss: number; readonly gradients: readonly Matrix[] } {
  const inputs: Matrix[] = [x];
  for (const matrix of weights) inputs.push(product(inputs.at(-1) as Matrix, matrix));
  const output = inputs.at(-1) as Matrix;
  const errors = output.map((row, i) => row.map((value, j) => value - (y[i]?.[j] ?? Number.NaN)));
  const elements = errors.length * (errors[0]?.length ?? 0);
  const loss = errors.flat().reduce((sum, error) => sum + error ** 2, 0) / elements;
  let upstream: Matrix = errors.map((row) => row.map((error) => (2 * error) / elements));
  const gradients: Matrix[] = [];
  for (let layer = weights.length - 1; layer >= 0; layer--) {
    gradients.unshift(product(transposed(inputs[layer] as Matrix), upstream));
    upstream = product(upstream, transposed(weights[layer] as Matrix));
  }
  return { loss, gradients };
}
