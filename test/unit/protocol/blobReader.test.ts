import { describe, expect, it } from 'vitest';
import { BlobReader } from '../../../extension/protocol/blobReader';
import { encodeBlob, MalformedBlob } from '../../../extension/protocol/safetensors';
import { framesOf, seeded, syntheticRun } from '../../fixtures/syntheticRun';

const concat = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

describe('BlobReader', () => {
  const frames = framesOf(syntheticRun({ layers: 2, steps: 4 }));
  const stream = concat(frames);

  it.each([1, 7, 64, 1000, 1_000_000])('cuts a stream that comes %i bytes at a time', (size) => {
    const reader = new BlobReader();
    const bytes: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += size) {
      for (const blob of reader.push(stream.subarray(at, at + size)))
        bytes.push(concat(blob.parts));
    }
    expect(bytes.map((blob) => Buffer.from(blob))).toEqual(frames.map((blob) => Buffer.from(blob)));
    expect(reader.pending).toBe(0);
  });

  it('counts the bytes of a torn tail, wherever it was torn', () => {
    const random = seeded(5);
    for (let i = 0; i < 50; i++) {
      const cut = Math.floor(random() * stream.length);
      const reader = new BlobReader();
      let read = 0;
      for (const blob of reader.push(stream.subarray(0, cut))) read += concat(blob.parts).length;
      expect(read + reader.pending).toBe(cut);
    }
  });

  it('gives each blob memory of its own, so that a reused receive buffer changes nothing', () => {
    const bytes = encodeBlob({ kind: 'x' }, { a: Float32Array.of(1, 2) });
    const [blob] = new BlobReader().push(bytes);
    bytes.fill(0);
    expect(blob?.tensors.a).toEqual(Float32Array.of(1, 2));
  });

  it('copies each byte a bounded number of times, however small the chunks are', () => {
    const bytes = encodeBlob({ kind: 'x' }, { a: new Float32Array(500_000).fill(1) });
    const reader = new BlobReader();
    let blobs = 0;
    for (let at = 0; at < bytes.length; at += 5) {
      blobs += [...reader.push(bytes.subarray(at, at + 5))].length;
    }
    expect(blobs).toBe(1);
  }, 20_000);

  it('refuses a header that is too long before it has arrived', () => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, 2n ** 40n, true);
    expect(() => [...new BlobReader().push(bytes)]).toThrow(MalformedBlob);
  });
});
