import type { Socket } from 'node:net';
import { BlobReader } from '../../protocol/blobReader';
import type { AgentCommand } from '../../protocol/commands';
import { encodeBlob, MalformedBlob } from '../../protocol/safetensors';
import type { ReceivedFrame } from '../frames/receivedFrame';
import { messageOf } from '../log';
import { plainText } from '../plainText';
import { AgentFrameParser } from './parseAgentFrame';

/** What an authenticated connection reports. Nothing is called after `closed`. */
export interface AgentPeer {
  /** @param parts - the frame's bytes as they came */
  frame(frame: ReceivedFrame, parts: readonly Uint8Array[]): void;
  /** The process sent what can not be read; the connection is being closed. */
  unreadable(reason: string): void;
  closed(): void;
}

/** Unsent bytes above which a process that does not read gets no further commands. */
const MAX_UNSENT = 1024 * 1024;

/** Frames in, commands out, over a socket whose token was right. */
export class AgentConnection {
  private readonly reader = new BlobReader();
  private readonly parser = new AgentFrameParser();
  private peer: AgentPeer | undefined;
  private lastRead = performance.now();

  constructor(private readonly socket: Socket) {}

  /** Milliseconds since the process last sent something. */
  get quietFor(): number {
    return performance.now() - this.lastRead;
  }

  /** @param rest - what came in the same chunk as the token */
  start(peer: AgentPeer, rest: Uint8Array): void {
    this.peer = peer;
    this.socket.on('data', (chunk: Buffer) => this.read(chunk));
    this.socket.once('close', () => {
      this.peer?.closed();
      this.peer = undefined;
    });
    this.read(rest);
  }

  send(command: AgentCommand): void {
    if (this.socket.writable && this.socket.writableLength < MAX_UNSENT) {
      this.socket.write(encodeBlob(command));
    }
  }

  destroy(): void {
    this.socket.destroy();
  }

  private read(chunk: Uint8Array): void {
    if (this.socket.destroyed) return;
    this.lastRead = performance.now();
    try {
      for (const blob of this.reader.push(chunk)) {
        const frame = this.parser.parse(blob);
        if (frame) this.peer?.frame(frame, blob.parts);
      }
    } catch (error) {
      const reason =
        error instanceof MalformedBlob
          ? error.message
          : `A frame could not be taken in: ${messageOf(error)}`;
      this.peer?.unreadable(plainText(reason));
      this.socket.destroy();
    }
  }
}
