/** Milliseconds of reading after which less is read, and how many elements then. */
const STAGES = [
  [250, 1 << 12],
  [120, 1 << 13],
  [50, 1 << 14],
] as const;
const MOST_SPENT = 1000;

/** Bounds the reading of many tensors that are shown at once; forgives as time passes without. */
export class Pace {
  private spent = 0;
  private last = performance.now();

  /** Elements to read at most of the next tensor. */
  limit(most: number): number {
    const now = performance.now();
    this.spent = Math.max(0, this.spent - (now - this.last));
    this.last = now;
    const stage = STAGES.find(([after]) => this.spent > after);
    return stage ? Math.min(most, stage[1]) : most;
  }

  /** Runs what reads. */
  timed<T>(body: () => T): T {
    const began = performance.now();
    try {
      return body();
    } finally {
      this.spent = Math.min(MOST_SPENT, this.spent + 2 * (performance.now() - began));
    }
  }
}
