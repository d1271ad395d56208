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

/**
 * Cuts a byte stream into blobs. Chunks are kept as they came and copied once, into the blob they
 * belong to, so tensors of a yielded blob are views on memory that nobody else uses.
 */
export class BlobReader {
  private chunks: Uint8Array[] = [];
  private buffered = 0;
  private wanted = PREFIX_BYTES;
  private stage: 'prefix' | 'header' | 'data' = 'prefix';
  private header: BlobHeader | undefined;
  private prefixBytes = new Uint8Array(0);
  private headerBytes = new Uint8Array(0);

  /**
   * Takes a chunk and yields the blobs it completes.
   * @throws MalformedBlob; the reader is unusable afterwards.
   */
  *push(chunk: Uint8Array): Generator<ReadBlob> {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    while (this.buffered >= this.wanted) {
      const blob = this.advance(this.take(this.wanted));
      if (blob) yield blob;
    }
  }

  /** Bytes of an unfinished blob; not 0 at the end of a stream means a torn tail. */
  get pending(): number {
    switch (this.stage) {
      case 'prefix':
        return this.buffered;
      case 'header':
        return this.buffered + PREFIX_BYTES;
      case 'data':
        return this.buffered + PREFIX_BYTES + this.headerBytes.length;
    }
  }

  private advance(bytes: Uint8Array<ArrayBuffer>): ReadBlob | undefined {
    switch (this.stage) {
      case 'prefix':
        this.wanted = headerLength(bytes);
        this.prefixBytes = bytes;
        this.stage = 'header';
        return undefined;
      case 'header':
        this.header = parseHeader(bytes);
        this.headerBytes = bytes;
        this.wanted = this.header.dataLength;
        this.stage = 'data';
        return undefined;
      case 'data': {
        const header = this.header as BlobHeader;
        this.header = undefined;
        this.wanted = PREFIX_BYTES;
        this.stage = 'prefix';
        return { ...blobOf(header, bytes), parts: [this.prefixBytes, this.headerBytes, bytes] };
      }
    }
  }

  /** Removes the first `length` buffered bytes and returns them in fresh, aligned memory. */
  private take(length: number): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const chunk = this.chunks[0] as Uint8Array;
      const part = chunk.subarray(0, length - filled);
      taken.set(part, filled);
      filled += part.length;
      if (part.length === chunk.length) this.chunks.shift();
      else this.chunks[0] = chunk.subarray(part.length);
    }
    this.buffered -= length;
    return taken;
  }
}
