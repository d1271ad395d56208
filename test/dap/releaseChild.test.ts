import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { encodeMessage } from '../../extension/debug/interposer/framing';
import { event, successResponse } from '../../extension/debug/interposer/messages';
import { readMessages } from '../../extension/debug/interposer/readMessages';
import { releaseChild } from '../../extension/debug/interposer/releaseChild';
import { delay } from './session';

/** Longer than a connection takes to close on one machine. */
const CLOSING_MS = 300;

/** debugpy's adapter as it meets a child that ends while its debugger leaves. */
async function endingChild() {
  const seen: string[] = [];
  const server = createServer((socket: Socket) => {
    const send = (message: Parameters<typeof encodeMessage>[0]) =>
      socket.write(encodeMessage({ ...message, seq: 1 }));
    socket.on('close', () => seen.push('closed'));
    readMessages(socket, {
      onMalformed: (reason) => seen.push(reason),
      onMessage: (message) => {
        if (message.type !== 'request') return;
        seen.push(message.command);
        if (message.command === 'disconnect') {
          send(event('terminated'));
          setTimeout(() => {
            seen.push('answered');
            send(successResponse(message));
          }, CLOSING_MS);
        } else {
          send(successResponse(message));
          if (message.command === 'attach') send(event('initialized'));
        }
      },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { seen, port: (server.address() as AddressInfo).port };
}

// debugpy's adapter, which is also that of the parent's session, died of the unread answer.
test('a child that is let go keeps its connection until its farewell is answered', async () => {
  const { seen, port } = await endingChild();
  releaseChild({ connect: { host: '127.0.0.1', port } });
  for (let waited = 0; waited < 10_000 && !seen.includes('closed'); waited += 20) await delay(20);
  expect(seen).toContain('answered');
  expect(seen.indexOf('closed')).toBeGreaterThan(seen.indexOf('answered'));
  expect(seen.filter((one) => one === 'disconnect')).toHaveLength(1);
});
