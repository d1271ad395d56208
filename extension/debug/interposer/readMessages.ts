import type { Readable } from 'node:stream';
import { MalformedMessage, MessageParser } from './framing';
import type { Message } from './messages';

/** Who reads a stream of messages. */
export interface MessageReader {
  onMessage(message: Message): void;
  /** The stream holds something else; nothing more is read of it. */
  onMalformed(reason: string): void;
}

/** Reads the messages of an adapter's byte stream. */
export function readMessages(stream: Readable, reader: MessageReader): void {
  const parser = new MessageParser();
  const read = (chunk: Buffer) => {
    try {
      for (const message of parser.push(chunk)) reader.onMessage(message);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      stream.off('data', read);
      reader.onMalformed(error.message);
    }
  };
  stream.on('data', read);
}
