import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { BlobReader } from '../../../../extension/protocol/blobReader';
import { TOKEN_LENGTH } from '../../../../extension/protocol/environment';
import type {
  AgentFrame,
  AgentQuestion,
  Deep,
  Layout,
  Step,
} from '../../../../extension/protocol/frames';
import type { HistogramOf, Parameter, Statistic, Tap } from '../../../../extension/protocol/layers';
import { encodeBlob, type Blob } from '../../../../extension/protocol/safetensors';

/** What one process has sent. */
export class Connection {
  token = '';
  readonly blobs: Blob[] = [];
  closed = false;
  /** Bytes of a frame that was not finished when the connection ended. */
  pending = 0;

  get frames(): AgentFrame[] {
    return this.blobs.map((blob) => blob.body as AgentFrame);
  }

  of<K extends AgentFrame['kind']>(kind: K): Extract<AgentFrame, { kind: K }>[] {
    return this.frames.filter((frame): frame is Extract<AgentFrame, { kind: K }> => {
      return frame.kind === kind;
    });
  }

  /** Deep captures with their tensors. */
  get deeps(): { readonly frame: Deep; readonly tensors: Blob['tensors'] }[] {
    return this.blobs.flatMap(({ body, tensors }) => {
      const frame = body as AgentFrame;
      return frame.kind === 'deep' ? [{ frame, tensors }] : [];
    });
  }

  /** Captured steps with what they say of a layer's tap. */
  get steps(): CapturedStep[] {
    let layout: Layout | undefined;
    const steps: CapturedStep[] = [];
    for (const { body, tensors } of this.blobs) {
      const frame = body as AgentFrame;
      if (frame.kind === 'layout') layout = frame;
      if (frame.kind !== 'step') continue;
      if (layout?.layoutId !== frame.layoutId) throw new Error('A step came before its layout.');
      steps.push(new CapturedStep(frame, layout, tensors));
    }
    return steps;
  }
}

export class CapturedStep {
  constructor(
    readonly frame: Step,
    readonly layout: Layout,
    private readonly tensors: Blob['tensors'],
  ) {}

  private layerNamed(name: string) {
    const layer = this.layout.layers.find((candidate) => candidate.name === name);
    if (!layer) throw new Error(`There is no layer ${name}.`);
    return layer;
  }

  get(layerName: string, tap: Tap, statistic: Statistic): number[] {
    const { id } = this.layerNamed(layerName);
    const slot = this.layout.slots.find(
      (candidate) =>
        candidate.layer === id && candidate.tap === tap && candidate.statistic === statistic,
    );
    const { block } = this.tensors;
    if (!slot || !block) throw new Error(`There is no ${statistic} of ${tap} of ${layerName}.`);
    return [...block.subarray(slot.offset, slot.offset + slot.length)];
  }

  parameter(layerName: string, parameter: Parameter): number[] {
    const { id } = this.layerNamed(layerName);
    const slot = this.layout.parameters.find(
      (candidate) => candidate.layer === id && candidate.parameter === parameter,
    );
    const { block } = this.tensors;
    if (!slot || !block) throw new Error(`There is no ${parameter} of ${layerName}.`);
    return [...block.subarray(slot.offset, slot.offset + slot.length)];
  }

  /** Bin → count. */
  histogram(layerName: string, tap: Tap, of: HistogramOf = 'values'): Map<number, number> {
    const { id } = this.layerNamed(layerName);
    const slot = this.layout.histograms.find((h) => h.layer === id && h.tap === tap && h.of === of);
    const { splits, bins, counts } = this.tensors;
    if (!slot || !splits || !bins || !counts) throw new Error('There is no such histogram.');
    const map = new Map<number, number>();
    for (let at = splits[slot.row] ?? 0; at < (splits[slot.row + 1] ?? 0); at += 1) {
      map.set(bins[at] ?? -1, counts[at] ?? 0);
    }
    return map;
  }
}

export interface CollectorOptions {
  /** Takes this many bytes and then stops reading. */
  readonly readAtMost?: number;
  /** Ends the connection after this many bytes. */
  readonly endAfter?: number;
  readonly tcp?: boolean;
  /** Sent as soon as a process connects. */
  readonly greeting?: Uint8Array;
  /** Answers a question of the process; it gets no answer where this gives none. */
  readonly verdict?: (question: AgentQuestion) => boolean | undefined;
}

/** A collector at the other end of a real socket, with none of the extension's code but the codec. */
export class Collector {
  readonly connections: Connection[] = [];
  readonly token = randomBytes(TOKEN_LENGTH / 2).toString('hex');
  private readonly sockets: net.Socket[] = [];

  private constructor(
    readonly address: string,
    private readonly server: net.Server,
    private readonly folder: string,
  ) {}

  static async start(options: CollectorOptions = {}): Promise<Collector> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'ns-'));
    const server = net.createServer();
    const file = path.join(folder, 's');
    await new Promise<void>((resolve) => {
      if (options.tcp) server.listen(0, '127.0.0.1', resolve);
      else server.listen(file, resolve);
    });
    const bound = server.address();
    const address =
      bound !== null && typeof bound === 'object' ? `tcp:127.0.0.1:${bound.port}` : `unix:${file}`;
    const collector = new Collector(address, server, folder);
    server.on('connection', (socket) => collector.accept(socket, options));
    return collector;
  }

  /** The only connection there was. */
  get only(): Connection {
    const [first, ...rest] = this.connections;
    if (!first || rest.length > 0) {
      throw new Error(`${this.connections.length} processes connected, not one.`);
    }
    return first;
  }

  send(bytes: Uint8Array): void {
    for (const socket of this.sockets) socket.write(bytes);
  }

  /** Takes what waits on paused connections, and lets them flow a little. */
  resume(): void {
    for (const socket of this.sockets) socket.resume();
  }

  /** Ends all connections. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true, force: true });
  }

  private accept(socket: net.Socket, options: CollectorOptions): void {
    const { readAtMost, endAfter, greeting } = options;
    const connection = new Connection();
    const reader = new BlobReader();
    let received = 0;
    this.connections.push(connection);
    this.sockets.push(socket);
    if (greeting) socket.write(greeting);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      connection.closed = true;
      connection.pending = reader.pending;
    });
    socket.on('data', (chunk: Buffer) => {
      const rest = chunk.subarray(Math.max(0, TOKEN_LENGTH - received));
      connection.token += chunk.subarray(0, chunk.length - rest.length).toString('ascii');
      received += chunk.length;
      for (const blob of reader.push(rest)) {
        connection.blobs.push(blob);
        const frame = blob.body as AgentFrame;
        if (frame.kind !== 'question') continue;
        const stop = options.verdict?.(frame);
        const { question } = frame;
        if (stop !== undefined) socket.write(encodeBlob({ kind: 'verdict', question, stop }));
      }
      if (endAfter !== undefined && received >= endAfter) socket.destroy();
      if (readAtMost !== undefined && received >= readAtMost) socket.pause();
    });
  }
}
