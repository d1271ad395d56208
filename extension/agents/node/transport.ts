import { readSync, writeSync } from 'node:fs';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { BlobReader } from '../../protocol/blobReader';
import type { AgentFrame } from '../../protocol/frames';
import { encodeBlob, type Tensors } from '../../protocol/safetensors';

export interface TransportListener {
  /** The body of a frame from the collector, parsed but not validated. */
  readonly onCommand: (body: unknown) => void;
  /** The connection is over or never came to be; called once. */
  readonly onClosed: () => void;
}

/** Bytes that may wait for the collector before whole steps are dropped. */
const CONGESTED_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 2;
/** A person's program waits for the answer. */
const ANSWER_RETRY_MS = 0.5;
/** A program that never yields to the event loop is asked for commands this often. */
const READ_INTERVAL_MS = 20;
const READ_BYTES = 65_536;

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const sleepCell = new Int32Array(new SharedArrayBuffer(4));
/** Sleeps without running the event loop: for the last moments of a process. */
const sleep = (ms: number) => Atomics.wait(sleepCell, 0, 0, ms);

/** Descriptor of a connected socket; undefined on Windows, and while there is none yet. */
function descriptorOf(socket: Socket): number | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return undefined;
  const descriptor: unknown = Reflect.get(handle, 'fd');
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
}

/**
 * The connection to the collector. It never blocks, never throws and never keeps the process alive.
 *
 * A training loop may run for minutes without once yielding to the event loop, and a socket that
 * waits for the loop would send nothing in that time. So where the system gives sockets a
 * descriptor, frames are written to it directly (it does not block: what does not fit waits in our
 * queue); elsewhere they go through the stream.
 */
export class Transport {
  private readonly socket: Socket;
  private readonly reader = new BlobReader();
  private queue: Uint8Array[] = [];
  private queued = 0;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private lastRead = 0;

  constructor(
    options: NetConnectOpts,
    token: string,
    private readonly listener: TransportListener,
  ) {
    this.socket = connect(options);
    this.socket.unref();
    this.socket.on('connect', () => this.pump());
    this.socket.on('data', (chunk) => this.receive(chunk));
    this.socket.on('error', () => this.close());
    this.socket.on('close', () => this.close());
    this.enqueue(Buffer.from(token, 'ascii'));
  }

  /** Whether the collector is too slow to take more. */
  get congested(): boolean {
    return this.queued + this.socket.writableLength > CONGESTED_BYTES;
  }

  /** Nothing waits to be sent any more. */
  get drained(): boolean {
    return this.closed || this.queued + this.socket.writableLength === 0;
  }

  send(frame: AgentFrame, tensors?: Tensors): void {
    if (this.closed) return;
    this.enqueue(encodeBlob(frame, tensors));
    this.pump();
  }

  /**
   * Sends what fits, which is no more than the system's buffer holds; looks for commands now and
   * then. To be called often where the event loop may not run.
   */
  pump(): void {
    if (this.closed) return;
    const descriptor = descriptorOf(this.socket);
    if (process.platform === 'win32') this.writeToStream();
    else if (descriptor !== undefined) {
      this.writeTo(descriptor);
      if (performance.now() - this.lastRead >= READ_INTERVAL_MS) this.readFrom(descriptor);
    }
    if (this.queue.length > 0 && !this.closed && this.timer === undefined) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.pump();
      }, RETRY_MS).unref();
    }
  }

  /** Sends all that waits, without the event loop, for at most this time. */
  flushSync(limitMs: number): void {
    const deadline = performance.now() + limitMs;
    for (this.pump(); this.queue.length > 0 && !this.closed; this.pump()) {
      if (performance.now() > deadline || descriptorOf(this.socket) === undefined) return;
      sleep(RETRY_MS);
    }
  }

  /** Whether the socket has a descriptor to {@link wait} with. */
  get canWait(): boolean {
    return process.platform !== 'win32' && descriptorOf(this.socket) !== undefined;
  }

  /** Sends and receives without the event loop until `done`, for at most this time. */
  wait(done: () => boolean, limitMs: number): void {
    const deadline = performance.now() + limitMs;
    while (!done() && !this.closed && performance.now() < deadline) {
      const descriptor = descriptorOf(this.socket);
      if (process.platform === 'win32' || descriptor === undefined) return;
      this.writeTo(descriptor);
      if (!this.closed) this.readFrom(descriptor);
      if (!done()) sleep(ANSWER_RETRY_MS);
    }
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.queue = [];
    this.queued = 0;
    clearTimeout(this.timer);
    this.socket.destroy();
    this.listener.onClosed();
  }

  private enqueue(bytes: Uint8Array): void {
    this.queue.push(bytes);
    this.queued += bytes.length;
  }

  private take(length: number): void {
    const first = this.queue[0];
    if (!first) return;
    this.queued -= length;
    if (length === first.length) this.queue.shift();
    else this.queue[0] = first.subarray(length);
  }

  private writeTo(descriptor: number): void {
    for (let first = this.queue[0]; first; first = this.queue[0]) {
      try {
        this.take(writeSync(descriptor, first));
      } catch (error) {
        this.failUnlessBusy(error);
        return;
      }
    }
  }

  private writeToStream(): void {
    if (this.socket.connecting) return;
    for (let first = this.queue[0]; first; first = this.queue[0]) {
      this.socket.write(first);
      this.take(first.length);
    }
  }

  private readFrom(descriptor: number): void {
    this.lastRead = performance.now();
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    try {
      const length = readSync(descriptor, chunk, 0, READ_BYTES, null);
      if (length === 0) this.close();
      else this.receive(chunk.subarray(0, length));
    } catch (error) {
      this.failUnlessBusy(error);
    }
  }

  /** A socket that is full, empty or not connected yet is tried again later. */
  private failUnlessBusy(error: unknown): void {
    const code = codeOf(error);
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK' || this.socket.connecting) return;
    this.close();
  }

  private receive(chunk: Uint8Array): void {
    this.lastRead = performance.now();
    try {
      for (const blob of this.reader.push(chunk)) this.listener.onCommand(blob.body);
    } catch {
      this.close();
    }
  }
}
