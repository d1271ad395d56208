import { found, type Finding } from './finding';

/** A gain below this share of what gains of the layer were at their largest counts as gone. */
const GONE = 0.01;

/** γ of a layer over the steps. */
export class Gains {
  private peak = 0;
  /** Features whose gain is gone, of those with one, and the first of them. */
  gone = 0;
  known = 0;
  first = -1;

  /** Takes a step in; entries that are NaN were not read. */
  add(gamma: Float32Array): void {
    const least = GONE * this.peak;
    let squares = 0;
    this.gone = this.known = 0;
    this.first = -1;
    for (let j = 0; j < gamma.length; j++) {
      const size = Math.abs(gamma[j] as number);
      if (Number.isNaN(size)) continue;
      this.known++;
      squares += size * size;
      if (size >= least) continue;
      if (this.gone === 0) this.first = j;
      this.gone++;
    }
    if (this.known > 0) this.peak = Math.max(this.peak, Math.sqrt(squares / this.known));
  }
}

/**
 * Rule `gain-collapse`: more than a tenth of a layer's gains are below 1 % of the largest root mean
 * square that they had in the run. The deviation of y is |γ| times that of the normalized input, so
 * these features are gone. Gains that begin at 0, as at the end of residual branches, have no peak
 * to fall from. No source names numbers.
 */
export function gainCollapse(
  { gone, known, first }: Pick<Gains, 'gone' | 'known' | 'first'>,
  limit: number,
): Finding | undefined {
  const value = gone / known;
  if (!(value >= limit)) return undefined;
  return found('warning', { value, limit, feature: first, features: gone });
}
