/** Figures of the eigenvalues of a covariance (DEFINITIONS.md, 5). */

/**
 * Entropy rank exp(−Σ p ln p) with p the *eigenvalues'* shares; Roy and Vetterli's effective rank
 * takes singular values of the data instead and is another number. Negative eigenvalues, which are
 * rounding errors, count as 0.
 */
export function entropyRank(eigenvalues: ArrayLike<number>): number {
  const positive = Array.from(eigenvalues).filter((value) => value > 0);
  const total = positive.reduce((sum, value) => sum + value, 0);
  if (!(total > 0)) return Number.NaN;
  return Math.exp(
    -positive.reduce((sum, value) => sum + (value / total) * Math.log(value / total), 0),
  );
}

/** Largest over smallest eigenvalue; infinite when the smallest is not above 0. */
export function conditionNumber(eigenvalues: ArrayLike<number>): number {
  const values = Array.from(eigenvalues);
  const smallest = Math.min(...values);
  return smallest > 0 ? Math.max(...values) / smallest : Number.POSITIVE_INFINITY;
}

/** Condition number that white data of n rows shows: ((1 + √g)/(1 − √g))², g = d/n; infinite for d ≥ n. */
export function conditionFloor(d: number, n: number): number {
  const root = Math.sqrt(d / n);
  return root < 1 ? ((1 + root) / (1 - root)) ** 2 : Number.POSITIVE_INFINITY;
}

const SWEEPS = 60;

/**
 * Eigenvalues of a symmetric matrix [d · d], largest first, by cyclic Jacobi rotations (Golub and
 * Van Loan, Matrix Computations, 8.5). Costs about 10 d³: for matrices of some hundred rows.
 */
export function eigenvalues(matrix: ArrayLike<number>): Float64Array {
  const d = Math.round(Math.sqrt(matrix.length));
  const a = Float64Array.from(matrix);
  const at = (i: number, j: number) => a[i * d + j] as number;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < d; p++) {
      for (let q = p + 1; q < d; q++) {
        const off = at(p, q);
        const scale = Math.sqrt(Math.abs(at(p, p) * at(q, q)));
        if (off === 0 || Math.abs(off) <= Number.EPSILON * 1e-2 * scale) continue;
        rotated = true;
        rotate(a, d, p, q);
      }
    }
    if (!rotated) break;
  }
  return Float64Array.from({ length: d }, (_, i) => at(i, i)).sort((x, y) => y - x);
}

/** Turns the plane of p and q so that their entry becomes 0. */
function rotate(a: Float64Array, d: number, p: number, q: number): void {
  const at = (i: number, j: number) => a[i * d + j] as number;
  const theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1);
  const s = t * c;
  const change = t * at(p, q);
  a[p * d + p] = at(p, p) - change;
  a[q * d + q] = at(q, q) + change;
  a[p * d + q] = a[q * d + p] = 0;
  for (let k = 0; k < d; k++) {
    if (k === p || k === q) continue;
    const [x, y] = [at(k, p), at(k, q)];
    a[k * d + p] = a[p * d + k] = c * x - s * y;
    a[k * d + q] = a[q * d + k] = s * x + c * y;
  }
}
