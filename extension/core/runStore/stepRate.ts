/** Captured steps that the rate is taken from. */
const WINDOW = 16;

interface Moment {
  readonly step: number;
  /** In milliseconds. */
  readonly time: number;
}

/**
 * How many steps the process makes in a second, of late: the median over the last captured steps,
 * so that a pause at a breakpoint does not count.
 */
export class StepRate {
  private readonly recent: Moment[] = [];

  /** @param time - of the step's end, in milliseconds since any moment */
  add(step: number, time: number): void {
    this.recent.push({ step, time });
    if (this.recent.length > WINDOW) this.recent.shift();
  }

  /** Null before two steps of which the later one ended later. */
  get perSecond(): number | null {
    const rates = this.recent
      .slice(1)
      .map(({ step, time }, i) => {
        const before = this.recent[i] as Moment;
        return (1_000 * (step - before.step)) / (time - before.time);
      })
      .filter((rate) => Number.isFinite(rate) && rate > 0)
      .sort((a, b) => a - b);
    return rates[Math.floor(rates.length / 2)] ?? null;
  }
}
