import { createWriteStream, type WriteStream } from 'node:fs';
import { type Log } from '../log';

/** Bytes waiting for the disk above which steps are left out. */
const MAX_PENDING = 32 * 1024 * 1024;

/** Deep captures are large: a trace takes this many bytes of them, and then a share of what it holds. */
const FIRST_DEEP = 16 * 1024 * 1024;
const DEEP_SHARE = 0.25;
/** Kinds that may be left out: the others are needed to read the rest. */
const OPTIONAL = new Set(['step', 'deep']);

/** Appends frames to a trace file, without ever making the caller wait. */
export class TraceWriter {
  private readonly stream: WriteStream;
  private bytes = 0;
  private deepBytes = 0;
  private stopped = false;
  private slow = false;
  private full = false;
  private readonly closed: Promise<void>;

  constructor(
    readonly path: string,
    private readonly maxBytes: number,
    private readonly log: Log,
  ) {
    this.stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    this.closed = new Promise((resolve) => this.stream.once('close', resolve));
    // A stream that failed is destroyed, so this comes once.
    this.stream.on('error', (error) => {
      this.stopped = true;
      log('warning', `The trace ${path} is not written: ${error.message}`);
    });
  }

  /** Appends one frame, given as the pieces it came in. */
  append(kind: string, parts: readonly Uint8Array[]): void {
    if (this.stopped) return;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (kind === 'deep') {
      const room = Math.max(FIRST_DEEP, this.bytes * DEEP_SHARE);
      if (this.deepBytes + length > Math.min(room, this.maxBytes * DEEP_SHARE)) {
        if (!this.full) {
          this.log('info', `The trace ${this.path} has no room for some of the deep captures.`);
        }
        this.full = true;
        return;
      }
    }
    if (this.bytes + length > this.maxBytes) {
      this.stop(`has reached ${Math.round(this.maxBytes / 1024 / 1024)} MiB`);
      return;
    }
    if (this.stream.writableLength > MAX_PENDING) {
      if (!OPTIONAL.has(kind)) this.stop('could not be written fast enough');
      else if (!this.slow) this.log('warning', `The disk is slow: ${this.path} misses some steps.`);
      this.slow = true;
      return;
    }
    this.bytes += length;
    if (kind === 'deep') this.deepBytes += length;
    this.stream.cork();
    for (const part of parts) this.stream.write(part);
    process.nextTick(() => this.stream.uncork());
  }

  /** Resolves when everything is on disk, or can not be. */
  close(): Promise<void> {
    this.stopped = true;
    this.stream.end();
    return this.closed;
  }

  private stop(why: string): void {
    this.log('warning', `The trace ${this.path} ${why} and ends here; the run goes on.`);
    void this.close();
  }
}
