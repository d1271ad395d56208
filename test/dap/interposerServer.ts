/** The interposer on standard input and output, for clients that start an adapter as a process. */
import { appendFileSync } from 'node:fs';
import { CaptureHub } from '../../extension/core/captureHub';
import { encodeMessage, MessageParser } from '../../extension/debug/interposer/framing';
import { Interposer } from '../../extension/debug/interposer/interposer';
import type { InterposerOptions } from '../../extension/debug/interposer/options';
import { DEFAULT_CAPTURE } from '../../extension/protocol/environment';

const options = JSON.parse(process.env.NORMSCOPE_TEST_OPTIONS ?? '{}') as InterposerOptions;
const logFile = process.env.NORMSCOPE_TEST_LOG;
// What the test tells this server must not reach the program.
delete process.env.NORMSCOPE_TEST_OPTIONS;
const parser = new MessageParser();

/** A collector of its own, for tests of breakpoints; a stop's words are its JSON. */
async function withCapture(): Promise<Partial<InterposerOptions>> {
  const agentDir = process.env.NORMSCOPE_TEST_AGENT;
  if (agentDir === undefined) return {};
  delete process.env.NORMSCOPE_TEST_AGENT;
  const capture = { ...DEFAULT_CAPTURE, budgetPercent: 0 };
  const hub = await CaptureHub.start({ traceDir: null, capture });
  process.once('exit', () => void hub.dispose());
  const session = hub.openSession({ sessionType: 'normscope', program: 'test' });
  return {
    capture: { agentDir, environment: session.environment },
    tensorBreakpoints: {
      set: (breakpoints) => session.setTensorBreakpoints(breakpoints),
      takeStop: (pid) => {
        const stop = session.takeTensorStop(pid);
        return stop && { title: stop.filter, sentence: JSON.stringify(stop), details: 'details' };
      },
    },
  };
}

const own = await withCapture();
const interposer = new Interposer({
  ...options,
  ...own,
  onNotice: (sentence) => {
    const body = { sentence };
    const notice = { seq: 0, type: 'event', event: 'testNotice', body } as const;
    process.stdout.write(encodeMessage(notice));
  },
  log: (line) => {
    if (logFile) appendFileSync(logFile, `${line}\n`);
  },
});

interposer.onDidSendMessage((message) => process.stdout.write(encodeMessage(message)));
process.stdin.on('data', (chunk: Buffer) => {
  for (const message of parser.push(chunk)) interposer.handleMessage(message);
});
process.stdin.on('end', () => interposer.dispose());
process.on('SIGTERM', () => {
  interposer.dispose();
  process.stdin.destroy();
});
