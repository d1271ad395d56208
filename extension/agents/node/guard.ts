/** Runs agent code inside the program: what it throws is counted and told, never raised. */
export class Guard {
  /** Exceptions caught so far. */
  errors = 0;
  private readonly told = new Set<string>();

  /** @param tell hears of the first failure of each kind. */
  constructor(private readonly tell: (what: string, reason: string) => void) {}

  /**
   * @param what names the work in the middle of a sentence, such as "reading a norm layer".
   * @returns undefined when the body threw.
   */
  run<T>(what: string, body: () => T): T | undefined {
    try {
      return body();
    } catch (error) {
      this.errors += 1;
      if (!this.told.has(what)) {
        this.told.add(what);
        this.announce(what, error);
      }
      return undefined;
    }
  }

  private announce(what: string, error: unknown): void {
    try {
      this.tell(what, error instanceof Error ? error.message : String(error));
    } catch {
      this.errors += 1;
    }
  }
}
