import type { Log, LogLevel } from './log';

const PERIOD_MS = 1_000;

/** Passes on so many lines a second, and says of the others how many there were. */
export class LimitedLog {
  private since = Number.NEGATIVE_INFINITY;
  private passed = 0;
  private leftOut = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Log,
    private readonly perSecond = 20,
  ) {}

  write(level: LogLevel, message: string): void {
    const elapsed = performance.now() - this.since;
    if (elapsed >= PERIOD_MS) {
      this.flush();
      this.since = performance.now();
      this.passed = 0;
    }
    if (this.passed < this.perSecond) {
      this.passed++;
      this.log(level, message);
      return;
    }
    this.leftOut++;
    this.timer ??= setTimeout(() => this.flush(), PERIOD_MS - elapsed).unref();
  }

  /** Says now how many lines were left out since this was last said. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.leftOut === 0) return;
    const count = this.leftOut;
    this.leftOut = 0;
    this.log(
      'warning',
      `${count} further lines were left out: at most ${this.perSecond} a second are written.`,
    );
  }
}
