import { describe, expect, test } from 'vitest';
import {
  encodeMessage,
  MalformedMessage,
  MAX_HEADER,
  MessageParser,
} from '../../extension/debug/interposer/framing';
import type { Message } from '../../extension/debug/interposer/messages';

const output = (text: string): Message => ({
  seq: 1,
  type: 'event',
  event: 'output',
  body: { output: text },
});

const parse = (chunks: readonly Uint8Array[]) => {
  const parser = new MessageParser();
  return chunks.flatMap((chunk) => [...parser.push(chunk)]);
};

describe('framing', () => {
  test('messages cut at every byte come out whole, letters beyond ASCII included', () => {
    const messages = [output('größe 日本 🧮'), output(''), output('\r\n\r\nContent-Length: 5')];
    const bytes = Buffer.concat(messages.map(encodeMessage));
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(parse(single)).toEqual(messages);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(messages);
    }
  });

  test('a body of 12 MiB in small chunks takes no quadratic time', () => {
    const message = output('µ🧮'.repeat(2 * 1024 * 1024));
    const bytes = encodeMessage(message);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, index) =>
      bytes.subarray(index * 4096, (index + 1) * 4096),
    );
    const start = performance.now();
    expect(parse(chunks)).toEqual([message]);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test('text that a start-up hook printed before a message is passed over', () => {
    const noise = Buffer.from('Welcome!\nno line break');
    expect(parse([noise, encodeMessage(output('x'))])).toEqual([output('x')]);
  });

  test('other header fields are allowed, in any case', () => {
    const body = JSON.stringify(output('x'));
    const header = `content-type: json\r\ncontent-length: ${body.length}\r\nX: y\r\n\r\n`;
    expect(parse([Buffer.from(header + body)])).toEqual([output('x')]);
  });

  test('a header without end is refused', () => {
    expect(() => parse([Buffer.alloc(MAX_HEADER + 10, 'x')])).toThrow(MalformedMessage);
    const small = Array.from({ length: 200 }, () => Buffer.alloc(100, 'x'));
    expect(() => parse(small)).toThrow(MalformedMessage);
  });

  test.each([
    ['a length past the limit', 'Content-Length: 99999999999\r\n\r\n'],
    ['no length', 'Something: 5\r\n\r\n'],
    ['a body that is not JSON', 'Content-Length: 3\r\n\r\n{{{'],
    ['a body that is not UTF-8', 'Content-Length: 2\r\n\r\n\xff\xfe'],
  ])('%s is refused', (_, text) => {
    expect(() => parse([Buffer.from(text, 'latin1')])).toThrow(MalformedMessage);
  });

  test('JSON that is no message is dropped and the next is read', () => {
    const stray = Buffer.from('Content-Length: 2\r\n\r\n[]');
    expect(parse([stray, encodeMessage(output('x'))])).toEqual([output('x')]);
  });
});
