/** The interposer on standard input and output, for clients that start an adapter as a process. */
import { appendFileSync } from 'node:fs';
import { encodeMessage, MessageParser } from '../../extension/debug/interposer/framing';
import { Interposer } from '../../extension/debug/interposer/interposer';
import type { InterposerOptions } from '../../extension/debug/interposer/options';

const options = JSON.parse(process.env.NORMSCOPE_TEST_OPTIONS ?? '{}') as InterposerOptions;
const logFile = process.env.NORMSCOPE_TEST_LOG;
// What the test tells this server must not reach the program.
delete process.env.NORMSCOPE_TEST_OPTIONS;
const parser = new MessageParser();

const interposer = new Interposer({
  ...options,
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
