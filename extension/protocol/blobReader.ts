import {
  blobOf,
  headerLength,
  parseHeader,
  PREFIX_BYTES,
  type Blob,
  type BlobHeader,
} from './safetensors';

/** A blob with its bytes as they came: prefix, header and data. */
export interface ReadBlob extends Blob {
  readonly parts: readonly [prefix: Uint8Array, header: Uint8Array, data: Uint8Array];
}

/** First memory set aside for a part of a blob; it doubles as bytes arrive, whatever was announced. */
const FIRST_ALLOCATION = 64 * 1024;

type Stage = 'prefix' | 'header' | 'data';

/**
 * Cuts a byte stream into blobs. Bytes are copied into the blob they belong to as they arrive, so
 * tensors of a yielded blob are views on memory that nobody else uses, and small chunks cost no more
 * than large ones.
 */
export class BlobReader {
  private stage: Stage = 'prefix';
  private wanted = PREFIX_BYTES;
  private part = new Uint8Array(PREFIX_BYTES);
  private filled = 0;
  private header: BlobHeader | undefined;
  private prefixBytes = new Uint8Array(0);
  private headerBytes = new Uint8Array(0);

  /**
   * Takes a chunk and yields the blobs it completes.
   * @throws MalformedBlob; the reader is unusable afterwards.
   */
  *push(chunk: Uint8Array): Generator<ReadBlob> {
    let at = 0;
    for (;;) {
      if (this.filled === this.wanted) {
        const blob = this.advance(this.part);
        if (blob) yield blob;
      } else if (at === chunk.length) {
        return;
      } else {
        at += this.fill(chunk.subarray(at, at + this.wanted - this.filled));
      }
    }
  }

  /** Bytes of an unfinished blob; not 0 at the end of a stream means a torn tail. */
  get pending(): number {
    switch (this.stage) {
      case 'prefix':
        return this.filled;
      case 'header':
        return this.filled + PREFIX_BYTES;
      case 'data':
        return this.filled + PREFIX_BYTES + this.headerBytes.length;
    }
  }

  private fill(bytes: Uint8Array): number {
    const needed = this.filled + bytes.length;
    if (needed > this.part.length) {
      const grown = new Uint8Array(Math.min(this.wanted, Math.max(needed, 2 * this.part.length)));
      grown.set(this.part.subarray(0, this.filled));
      this.part = grown;
    }
    this.part.set(bytes, this.filled);
    this.filled = needed;
    return bytes.length;
  }

  private expect(stage: Stage, length: number): void {
    this.stage = stage;
    this.wanted = length;
    this.part = new Uint8Array(Math.min(length, FIRST_ALLOCATION));
    this.filled = 0;
  }

  private advance(bytes: Uint8Array<ArrayBuffer>): ReadBlob | undefined {
    switch (this.stage) {
      case 'prefix':
        this.prefixBytes = bytes;
        this.expect('header', headerLength(bytes));
        return undefined;
      case 'header':
        this.headerBytes = bytes;
        this.header = parseHeader(bytes);
        this.expect('data', this.header.dataLength);
        return undefined;
      case 'data': {
        const header = this.header as BlobHeader;
        this.header = undefined;
        this.expect('prefix', PREFIX_BYTES);
        return { ...blobOf(header, bytes), parts: [this.prefixBytes, this.headerBytes, bytes] };
      }
    }
  }
}
