/** One point along the gradient: θ − length · g. */
export interface LandscapePoint {
  /** η: the multiple of the gradient that was stepped, above 0. */
  readonly length: number;
  readonly loss: number;
  readonly gradient: ArrayLike<number>;
}

/** A point with what the gradient did on the way to it. */
export interface LandscapeFigure {
  readonly length: number;
  readonly loss: number;
  /** ‖∇L(θ) − ∇L(θ − ηg)‖₂ */
  readonly gradientChange: number;
  /** {@link gradientChange} over the distance η‖g‖₂. */
  readonly smoothness: number;
}

/** Bands and bound over all points (Santurkar et al. 2018, Fig. 4; DEFINITIONS.md, 3). */
export interface Landscape {
  readonly points: readonly LandscapeFigure[];
  /** (a) smallest and largest loss. */
  readonly loss: readonly [number, number];
  /** (b) gradient predictiveness: smallest and largest change of the gradient. */
  readonly gradientChange: readonly [number, number];
  /** (c) "effective" β-smoothness: the largest change over distance. */
  readonly smoothness: number;
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - (b[i] ?? Number.NaN)) ** 2;
  return Math.sqrt(sum);
}

/** @param gradient - g at θ, where the steps start */
export function lossLandscape(
  gradient: ArrayLike<number>,
  points: readonly LandscapePoint[],
): Landscape {
  const norm = distance(gradient, new Float64Array(gradient.length));
  const figures = points.map(({ length, loss, gradient: there }): LandscapeFigure => {
    const gradientChange = distance(gradient, there);
    return { length, loss, gradientChange, smoothness: gradientChange / (length * norm) };
  });
  const band = (of: (figure: LandscapeFigure) => number): readonly [number, number] => [
    Math.min(...figures.map(of)),
    Math.max(...figures.map(of)),
  ];
  return {
    points: figures,
    loss: band(({ loss }) => loss),
    gradientChange: band(({ gradientChange }) => gradientChange),
    smoothness: band(({ smoothness }) => smoothness)[1],
  };
}
