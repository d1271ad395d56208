import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CaptureHub, type CaptureSession } from '../../../extension/core/captureHub';
import { TrackedSession } from '../../../extension/debug/trackedSession';
import { DEFAULT_CAPTURE } from '../../../extension/protocol/environment';

let folder: string;
let hub: CaptureHub;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ns-'));
  hub = await CaptureHub.start({ socketRoot: folder, traceDir: null, capture: DEFAULT_CAPTURE });
});

afterEach(async () => {
  await hub.dispose();
  await rm(folder, { recursive: true, force: true });
});

function track(print: (sentence: string) => void) {
  const capture: CaptureSession = hub.openSession({
    sessionType: 'normscope',
    program: '/home/ada/broken.py',
  });
  const shown: string[] = [];
  const tracked = new TrackedSession(capture, 'root', {
    print,
    show: (sentence) => shown.push(sentence),
  });
  return { capture, tracked, shown };
}

const exited = (exitCode: number) => ({
  seq: 1,
  type: 'event',
  event: 'exited',
  body: { exitCode },
});

const SENTENCE =
  'broken.py ended with exit code 1 before importing PyTorch or TensorFlow.js, so there was nothing to capture.';

describe('a tracked session', () => {
  it('tells how the program ended although that is known only after the session', async () => {
    const printed: string[] = [];
    const { capture, tracked, shown } = track((sentence) => printed.push(sentence));
    tracked.observe('root', exited(1));
    tracked.end();
    tracked.end();
    expect(shown).toEqual([]);
    await capture.finished;
    expect(shown).toEqual([SENTENCE]);
    expect(printed).toEqual([SENTENCE]);
  });

  it('does not say that a program ended which the debugger never reached', async () => {
    const { capture, tracked, shown } = track(() => undefined);
    const refused = { seq: 1, request_seq: 1, type: 'response', command: 'attach', success: false };
    tracked.observe('root', refused);
    tracked.end();
    await capture.finished;
    expect(shown).toEqual([]);
    expect(hub.store.runs().map(({ notice }) => notice)).toEqual([
      'The debugger did not reach broken.py, so there was nothing to capture.',
    ]);
  });

  it('says how the program ended although its child was not reached', async () => {
    const { capture, tracked, shown } = track(() => undefined);
    const refused = { seq: 1, request_seq: 1, type: 'response', command: 'attach', success: false };
    tracked.observe('child', refused);
    tracked.observe('root', exited(1));
    tracked.end();
    await capture.finished;
    expect(shown).toEqual([SENTENCE]);
  });

  it('shows the message where the debug console is gone', async () => {
    const { capture, tracked, shown } = track(() => {
      throw new Error('The console is gone.');
    });
    tracked.observe('root', exited(1));
    tracked.end();
    await capture.finished;
    expect(shown).toEqual([SENTENCE]);
  });
});
