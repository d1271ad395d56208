import type { FeatureMoments } from './momentDrift';

/**
 * Mean and variance of each feature over several steps together, by Chan's rule for each feature
 * (DEFINITIONS.md, 9), in float64.
 */
export class FeatureSums {
  private readonly n: Float64Array;
  private readonly mean: Float64Array;
  private readonly m2: Float64Array;

  constructor(readonly features: number) {
    this.n = new Float64Array(features);
    this.mean = new Float64Array(features);
    this.m2 = new Float64Array(features);
  }

  get byteLength(): number {
    return 3 * this.n.byteLength;
  }

  /**
   * Adds a step's; features that are NaN are left out.
   * @param n - values of each feature in the step
   */
  add({ mean, variance }: FeatureMoments, n: number): void {
    for (let j = 0; j < this.features; j++) {
      const [m, v] = [mean[j] as number, variance[j] as number];
      if (Number.isNaN(m) || Number.isNaN(v)) continue;
      const before = this.n[j] as number;
      const after = before + n;
      const delta = m - (this.mean[j] as number);
      this.n[j] = after;
      this.mean[j] = (this.mean[j] as number) + (delta * n) / after;
      this.m2[j] = (this.m2[j] as number) + n * v + (delta * delta * before * n) / after;
    }
  }

  /** Float32 [F]; NaN of a feature without a value. */
  moments(): { readonly mean: Float32Array; readonly variance: Float32Array } {
    const mean = new Float32Array(this.features).fill(Number.NaN);
    const variance = new Float32Array(this.features).fill(Number.NaN);
    for (let j = 0; j < this.features; j++) {
      const n = this.n[j] as number;
      if (n === 0) continue;
      mean[j] = this.mean[j] as number;
      variance[j] = (this.m2[j] as number) / n;
    }
    return { mean, variance };
  }
}

/** One of several steps: its moments, and how many values each feature has in it. */
export interface StepMoments {
  readonly moments: { readonly mean: Float32Array; readonly variance: Float32Array };
  readonly n: number;
}

/**
 * The same at once of a few steps that are all at hand: mean = Σ n·μ / Σ n, and variance =
 * Σ n·(σ² + (μ − mean)²) / Σ n.
 * @returns float32 [F]; NaN of a feature without a value
 */
export function momentsOver(features: number, steps: readonly StepMoments[]) {
  const n = new Float64Array(features);
  const centre = new Float64Array(features);
  const within = new Float64Array(features);
  for (const { moments, n: values } of steps) {
    const { mean, variance } = moments;
    for (let j = 0; j < features; j++) {
      const m = mean[j] as number;
      const v = variance[j] as number;
      if (m !== m || v !== v) continue;
      n[j] = (n[j] as number) + values;
      centre[j] = (centre[j] as number) + values * m;
      within[j] = (within[j] as number) + values * v;
    }
  }
  for (let j = 0; j < features; j++) centre[j] = (centre[j] as number) / (n[j] as number);
  for (const { moments, n: values } of steps) {
    const { mean, variance } = moments;
    for (let j = 0; j < features; j++) {
      const away = (mean[j] as number) - (centre[j] as number);
      const v = variance[j] as number;
      if (away !== away || v !== v) continue;
      within[j] = (within[j] as number) + values * away * away;
    }
  }
  const variance = new Float32Array(features);
  for (let j = 0; j < features; j++) variance[j] = (within[j] as number) / (n[j] as number);
  return { mean: new Float32Array(centre), variance };
}
