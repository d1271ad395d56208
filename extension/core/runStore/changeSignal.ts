const INTERVAL_MS = 1000 / 30;

/** Tells listeners that something changed, at most 30 times a second. */
export class ChangeSignal {
  private readonly listeners = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;
  private lastFired = 0;

  listen(listener: () => void): { dispose(): void } {
    // Wrapped, so that a function given twice is called twice.
    const entry = () => listener();
    this.listeners.add(entry);
    return { dispose: () => void this.listeners.delete(entry) };
  }

  changed(): void {
    if (this.timer || this.listeners.size === 0) return;
    const wait = Math.max(0, this.lastFired + INTERVAL_MS - performance.now());
    this.timer = setTimeout(() => this.fire(), Math.ceil(wait));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.listeners.clear();
  }

  private fire(): void {
    this.timer = undefined;
    this.lastFired = performance.now();
    for (const listener of [...this.listeners]) {
      try {
        listener();
      } catch {
        // One listener's error keeps neither the others nor the data path from going on.
      }
    }
  }
}
