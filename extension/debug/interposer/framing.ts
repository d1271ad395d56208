import { asMessage, type Message } from './messages';

/** Longest header block, in bytes; output that strays into the stream counts as part of it. */
export const MAX_HEADER = 16 * 1024;

/** Longest body, in bytes. debugpy itself stops at 16 MiB. */
export const MAX_BODY = 64 * 1024 * 1024;

const HEADER_END = Buffer.from('\r\n\r\n');
// Not anchored: a start-up hook of the user's Python may have printed without a line break.
const CONTENT_LENGTH = /Content-Length: *(\d+)/gi;

export class MalformedMessage extends Error {}

/** The bytes of a message on a stream. */
export function encodeMessage(message: Message): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'ascii'), body]);
}

function contentLength(header: string): number {
  const last = [...header.matchAll(CONTENT_LENGTH)].at(-1);
  const length = last ? Number(last[1]) : Number.NaN;
  if (!Number.isSafeInteger(length)) throw new MalformedMessage('A message has no length.');
  if (length > MAX_BODY) throw new MalformedMessage(`A message is ${length} bytes long.`);
  return length;
}

function decode(body: Uint8Array): Message | undefined {
  try {
    return asMessage(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    throw new MalformedMessage('A message is not valid JSON.');
  }
}

/**
 * Cuts a byte stream into messages. Works on bytes, so a character may be split between chunks;
 * each body byte is copied once.
 */
export class MessageParser {
  private header = Buffer.alloc(0);
  private body: Buffer | undefined;
  private filled = 0;

  /**
   * Takes a chunk and yields the messages it completes. JSON that is no protocol message is dropped.
   * @throws MalformedMessage; the parser is unusable afterwards.
   */
  *push(chunk: Uint8Array): Generator<Message> {
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.body ? this.takeBody(this.body, rest) : this.takeHeader(rest);
      if (this.body && this.filled === this.body.length) {
        const message = decode(this.body);
        this.body = undefined;
        if (message) yield message;
      }
    }
  }

  private takeHeader(chunk: Uint8Array): Uint8Array {
    const before = this.header.length;
    // One byte more than allowed is enough to see that a header is too long.
    const room = chunk.subarray(0, MAX_HEADER + HEADER_END.length - before);
    this.header = Buffer.concat([this.header, room]);
    const end = this.header.indexOf(HEADER_END, Math.max(0, before - HEADER_END.length));
    if (end < 0) {
      if (this.header.length > MAX_HEADER) throw new MalformedMessage('A header is too long.');
      return chunk.subarray(room.length);
    }
    this.body = Buffer.allocUnsafe(contentLength(this.header.toString('latin1', 0, end)));
    this.filled = 0;
    this.header = Buffer.alloc(0);
    return chunk.subarray(end + HEADER_END.length - before);
  }

  private takeBody(body: Buffer, chunk: Uint8Array): Uint8Array {
    const part = chunk.subarray(0, body.length - this.filled);
    body.set(part, this.filled);
    this.filled += part.length;
    return chunk.subarray(part.length);
  }
}
