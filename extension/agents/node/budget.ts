/**
 * Captured steps before the interval is chosen: compilation makes the first ones slow, and a person
 * who has just started wants to see something.
 */
const WARM_UP = 10;
const RECENT = 16;
const MAX_INTERVAL = 1_000;
/** Captures that may be saved up. */
const MOST_SAVED = 2;
/** Captures that may be owed, as after one during a pause, or where the program asks for each step. */
const MOST_OWED = 8;
/** No step earns more than so many usual ones: a pause at a breakpoint is none of them. */
const MOST_USUAL = 4;

/** What is no number or negative counts as no time. */
const time = (milliseconds: number) =>
  Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
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
 * Keeps capture within its share of step time by choosing the steps that are captured. The first 10
 * steps of a run are captured whatever they cost; the budget holds from then on.
 *
 * Each step adds its share of time to an account, capture is paid from it, and a step is captured
 * when the account holds what one is expected to cost: the median C of the last ones. So the whole
 * stays within the budget where C is wrong by less than eight times. With a median time T of the last
 * steps, less capture, one in k = C/(budget·T) steps is captured; k need not be whole.
 */
export class Budget {
  /** One in so many steps is captured now: the nearest whole number to k. */
  interval = 1;
  /** Capture's measured share of the program's time over the last steps; null before it is known. */
  overheadPercent: number | null = null;
  /** Whether the step that begins is to be captured. */
  due = true;
  private costs: number[] = [];
  private times: number[] = [];
  private captured = 0;
  private sinceCapture = 0;
  /** Milliseconds that are saved for capture; negative where more was spent. */
  private saved = 0;
  private readonly window: MeasuredStep[] = [];

  /** @param percent share of step time that capture may take; 0 for no limit. */
  constructor(private percent: number) {}

  configure(percent: number): void {
    if (percent === this.percent) return;
    this.percent = percent;
    this.choose();
  }

  /**
   * Takes note of a step that has ended.
   * @param total its time with capture, in milliseconds.
   * @param captureTime the part of it that was capture.
   */
  record(wasCaptured: boolean, total: number, captureTime: number): void {
    const capture = time(captureTime);
    const program = time(total - capture);
    this.times = [...this.times, program].slice(-RECENT);
    this.window.push({ program, capture });
    const kept = Math.max(WINDOW, INTERVALS * this.interval);
    while (this.window.length > kept) this.window.shift();
    this.sinceCapture = wasCaptured ? 0 : this.sinceCapture + 1;
    // The first steps are free.
    if (this.captured >= WARM_UP) this.account(program, wasCaptured ? capture : 0);
    if (wasCaptured) {
      this.captured += 1;
      this.costs = [...this.costs, capture].slice(-RECENT / 2);
      this.measure();
    }
    this.choose();
  }

  private get usual(): number {
    return Math.max(median(this.times), 1e-3);
  }

  private account(program: number, spent: number): void {
    const cost = median(this.costs);
    const earned = (this.percent / 100) * Math.min(program, MOST_USUAL * this.usual);
    const saved = this.saved + earned - spent;
    this.saved = Math.max(-MOST_OWED * cost, Math.min(saved, MOST_SAVED * cost));
  }

  private choose(): void {
    if (!(this.percent > 0) || this.captured < WARM_UP) {
      this.interval = 1;
      this.saved = 0;
      this.due = true;
      return;
    }
    const [cost, share] = [median(this.costs), (this.percent / 100) * this.usual];
    this.interval = Math.round(Math.min(MAX_INTERVAL, Math.max(1, cost / share)));
    // Equal shares may add up to a rounding error less than the cost.
    const enough = this.saved + share >= cost * (1 - 1e-9);
    this.due = enough || this.sinceCapture >= MAX_INTERVAL;
  }

  private measure(): void {
    const total = (of: keyof MeasuredStep) => this.window.reduce((sum, step) => sum + step[of], 0);
    const program = total('program');
    if (this.window.length >= INTERVALS && program > 0) {
      this.overheadPercent = (100 * total('capture')) / program;
    }
  }
}
