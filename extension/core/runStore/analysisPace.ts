/** So much a second, and more at once after a quiet time. */
class Allowance {
  private left: number;

  constructor(
    private readonly perSecond: number,
    private readonly most: number,
  ) {
    this.left = most;
  }

  /** So many seconds have passed. */
  pass(seconds: number): void {
    this.left = Math.min(this.most, this.left + this.perSecond * seconds);
  }

  /** Takes at most so much, in whole numbers. */
  take(wanted: number): number {
    const taken = Math.min(wanted, Math.floor(this.left));
    this.left -= taken;
    return taken;
  }

  holds(wanted: number): boolean {
    return this.left >= wanted;
  }
}

/** Whether a layer, by its place in the model, is compared in full at a step. */
export type IsDue = (place: number) => boolean;

const EVERY: IsDue = () => true;

/**
 * How much of a run is analysed: a large model in quick steps would keep the extension host busy
 * with nothing else. It goes by the process's clock, not by this one's, so that a trace comes out as
 * the run did. A run of a few layers or slow steps is analysed in full, and so is every run at its
 * beginning, which references begin with. What is not analysed is kept in detail as long as there is
 * room, like any captured step.
 */
export class AnalysisPace {
  /** Layers of which the figures of a step are derived. */
  private readonly figures = new Allowance(800, 100_000);
  /** Layers that are compared in full with their references, which takes longer than all else. */
  private readonly comparisons = new Allowance(100, 4_000);
  private last = Number.NaN;
  private next = 0;

  /**
   * Which layers to compare in full in a step that is to be analysed; undefined for one that is not.
   * @param time - of the step, in milliseconds since any moment
   * @param notable - the step is to be analysed whatever it costs
   */
  turn(layers: number, time: number, notable: boolean): IsDue | undefined {
    const seconds = Math.max(0, time - this.last) / 1_000 || 0;
    this.last = time;
    this.figures.pass(seconds);
    this.comparisons.pass(seconds);
    if (!this.figures.holds(layers) && !notable) return undefined;
    this.figures.take(layers);
    const count = this.comparisons.take(layers);
    if (count === layers) return EVERY;
    const first = this.next % layers;
    this.next = first + count;
    return (place) => (place - first + layers) % layers < count;
  }
}
