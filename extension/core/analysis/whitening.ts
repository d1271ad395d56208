/**
 * How far features are from being uncorrelated and of equal variance, from a covariance [d · d]
 * (DEFINITIONS.md, 5). None of these needs eigenvalues. Each has the value that perfectly white data
 * of n rows is expected to show; without it the figure says nothing.
 */

type Matrix = ArrayLike<number>;

const dimension = (matrix: Matrix): number => Math.round(Math.sqrt(matrix.length));

/**
 * Participation ratio tr(S)²/‖S‖²_F, from 1 (all variance along one direction) to d (equal along
 * all); NaN when nothing varies.
 */
export function participationRatio(covariance: Matrix): number {
  const d = dimension(covariance);
  let [trace, squares] = [0, 0];
  for (let i = 0; i < d; i++) trace += covariance[i * d + i] as number;
  for (let at = 0; at < covariance.length; at++) squares += (covariance[at] as number) ** 2;
  return squares > 0 ? trace ** 2 / squares : Number.NaN;
}

/** Participation ratio of white data: d/(1 + d/n). */
export const participationFloor = (d: number, n: number): number => d / (1 + d / n);

/** What the correlations of the features say. Features without variance are left out. */
export interface CorrelationFigures {
  /** Mean of |R_ij| over i < j. */
  readonly meanAbsolute: number;
  /** ‖R − I‖²_F / (d(d − 1)): the mean squared correlation. */
  readonly offDiagonalEnergy: number;
  /** d²/‖R‖²_F: the participation ratio of the correlations. */
  readonly participationRatio: number;
  /** Features that vary. */
  readonly features: number;
}

export function correlationFigures(covariance: Matrix): CorrelationFigures {
  const d = dimension(covariance);
  const varying = Array.from({ length: d }, (_, i) => i).filter(
    (i) => (covariance[i * d + i] as number) > 0,
  );
  let [absolute, squares] = [0, 0];
  for (const [at, i] of varying.entries()) {
    for (const j of varying.slice(at + 1)) {
      const scale = Math.sqrt(
        (covariance[i * d + i] as number) * (covariance[j * d + j] as number),
      );
      const correlation = (covariance[i * d + j] as number) / scale;
      absolute += Math.abs(correlation);
      squares += correlation ** 2;
    }
  }
  const features = varying.length;
  const pairs = (features * (features - 1)) / 2;
  return {
    meanAbsolute: pairs > 0 ? absolute / pairs : Number.NaN,
    offDiagonalEnergy: pairs > 0 ? squares / pairs : Number.NaN,
    participationRatio: features > 0 ? features ** 2 / (features + 2 * squares) : Number.NaN,
    features,
  };
}

/** Mean |R_ij| of white data: sqrt(2/(π n)). */
export const correlationFloor = (n: number): number => Math.sqrt(2 / (Math.PI * n));
