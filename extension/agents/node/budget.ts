/**
 * Captured steps before the interval is chosen: compilation makes the first ones slow, and a person
 * who has just started wants to see something.
 */
const WARM_UP = 10;
const RECENT = 16;
const MAX_INTERVAL = 1_000;
/** The overhead is measured over at least this many steps, and over several intervals. */
const WINDOW = 32;
const INTERVALS = 4;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

interface MeasuredStep {
  readonly program: number;
  readonly capture: number;
}

/**
 * Keeps capture within its share of step time by choosing every how manyeth step is captured.
 * The first 10 steps of a run are captured whatever they cost; the budget holds from then on.
 *
 * With a median cost C of a captured step and a median time T of a step without capture, capturing
 * every k-th step takes C/(k·T) of the program's time. Medians, so that a pause at a breakpoint or
 * one slow step does not count.
 */
export class Budget {
  /** Every how manyeth step is captured now. */
  interval = 1;
  /** Capture's measured share of the program's time over the last steps; null before it is known. */
  overheadPercent: number | null = null;
  private costs: number[] = [];
  private times: number[] = [];
  private captured = 0;
  private sinceCapture = 0;
  private readonly window: MeasuredStep[] = [];

  /** @param percent share of step time that capture may take; 0 for no limit. */
  constructor(private percent: number) {}

  configure(percent: number): void {
    if (percent === this.percent) return;
    this.percent = percent;
    if (this.captured >= WARM_UP) this.chooseInterval();
    if (!(percent > 0)) this.interval = 1;
  }

  /** Whether the step that begins is due. */
  get due(): boolean {
    return this.sinceCapture + 1 >= this.interval;
  }

  /**
   * Takes note of a step that has ended.
   * @param total its time with capture, in milliseconds.
   * @param capture the part of it that was capture.
   */
  record(wasCaptured: boolean, total: number, capture: number): void {
    const program = Math.max(0, total - capture);
    this.times = [...this.times, program].slice(-RECENT);
    this.window.push({ program, capture });
    const kept = Math.max(WINDOW, INTERVALS * this.interval);
    while (this.window.length > kept) this.window.shift();
    this.sinceCapture = wasCaptured ? 0 : this.sinceCapture + 1;
    if (!wasCaptured) return;
    this.captured += 1;
    this.costs = [...this.costs, capture].slice(-RECENT / 2);
    if (this.captured >= WARM_UP) this.chooseInterval();
    this.measure();
  }

  private chooseInterval(): void {
    if (!(this.percent > 0)) return;
    const share = (100 * median(this.costs)) / Math.max(median(this.times), 1e-3);
    const wanted = Math.ceil(share / this.percent);
    this.interval = Math.min(MAX_INTERVAL, Math.max(1, wanted));
  }

  private measure(): void {
    const total = (of: keyof MeasuredStep) => this.window.reduce((sum, step) => sum + step[of], 0);
    const program = total('program');
    if (this.window.length >= INTERVALS && program > 0) {
      this.overheadPercent = (100 * total('capture')) / program;
    }
  }
}
