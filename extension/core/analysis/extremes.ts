/** Smallest value; NaN entries are left out, NaN of nothing. */
export function smallest(values: Float32Array): number {
  let result = Number.NaN;
  for (const value of values) if (Number.isNaN(result) || value < result) result = value;
  return result;
}

/** Largest value; NaN entries are left out, NaN of nothing. */
export function largest(values: Float32Array): number {
  let result = Number.NaN;
  for (const value of values) if (Number.isNaN(result) || value > result) result = value;
  return result;
}
