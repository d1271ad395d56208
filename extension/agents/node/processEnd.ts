import type { FrameSink } from './frameSink';

/** How long a process that is done may wait for a slow collector. */
const DRAIN_MS = 2_000;
/** The same for `process.exit`, where nothing else can run meanwhile. */
const FLUSH_MS = 300;
const POLL_MS = 5;

/**
 * Sends what waits before the process is gone: with the event loop when the program has come to its
 * end, without it when it exits at once.
 * @param finish sends the last frames; may be called more than once.
 */
export function drainAtEnd(sink: FrameSink, finish: () => void): void {
  let waited = false;
  process.on('beforeExit', () => {
    // Without a descriptor to write to, only the event loop can still send the last frame.
    if (process.platform === 'win32') finish();
    if (waited || sink.drained) return;
    waited = true;
    const deadline = performance.now() + DRAIN_MS;
    const wait = () => {
      sink.pump();
      if (!sink.drained && performance.now() < deadline) setTimeout(wait, POLL_MS);
    };
    wait();
  });
  process.on('exit', () => {
    finish();
    sink.flushSync(FLUSH_MS);
  });
}
