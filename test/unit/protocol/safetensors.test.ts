import { describe, expect, it } from 'vitest';
import { decodeBlob, encodeBlob, MalformedBlob } from '../../../extension/protocol/safetensors';

const prefix = (length: number): Uint8Array => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  return bytes;
};

function blobWith(header: unknown, data = new Uint8Array(0)): Uint8Array {
  const json = new TextEncoder().encode(
    typeof header === 'string' ? header : JSON.stringify(header),
  );
  return Uint8Array.from([...prefix(json.length), ...json, ...data]);
}

const metadata = { kind: 'step', body: '{}' };

describe('safetensors blobs', () => {
  it('give back their body and tensors of every dtype', () => {
    const tensors = {
      bytes: Uint8Array.of(1, 2, 255),
      half: Uint16Array.of(1, 65535),
      whole: Uint32Array.of(0, 4294967295),
      signed: Int32Array.of(-1, 2),
      single: Float32Array.of(0.1, Number.NaN, Number.NEGATIVE_INFINITY),
      double: Float64Array.of(0.1, 2 ** -1074),
    };
    const body = { kind: 'step', text: 'σ "quoted"', list: [1, null] };
    const blob = decodeBlob(encodeBlob(body, tensors));
    expect(blob.kind).toBe('step');
    expect(blob.body).toEqual(body);
    expect(blob.tensors).toEqual(tensors);
  });

  it('are laid out as the safetensors format says', () => {
    const bytes = encodeBlob({ kind: 'x' }, { a: Uint16Array.of(7), b: Float64Array.of(1.5) });
    const view = new DataView(bytes.buffer);
    const headerLength = Number(view.getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + headerLength)));
    expect(header.b).toEqual({ dtype: 'F64', shape: [1], data_offsets: [0, 8] });
    expect(header.a).toEqual({ dtype: 'U16', shape: [1], data_offsets: [8, 10] });
    expect(view.getFloat64(8 + headerLength, true)).toBe(1.5);
    expect(view.getUint16(16 + headerLength, true)).toBe(7);
    expect(bytes.length).toBe(8 + headerLength + 10);
  });

  it('are read from any position in memory', () => {
    const bytes = encodeBlob({ kind: 'x' }, { a: Float32Array.of(1, 2, 3) });
    for (let shift = 0; shift < 8; shift++) {
      const moved = new Uint8Array(bytes.length + shift);
      moved.set(bytes, shift);
      const { tensors } = decodeBlob(moved.subarray(shift));
      expect(tensors.a).toEqual(Float32Array.of(1, 2, 3));
    }
  });

  it.each([
    ['a prefix cut short', new Uint8Array(3)],
    ['a header that is too long', prefix(9 * 1024 * 1024)],
    ['a header of 2^64 - 1 bytes', new Uint8Array(8).fill(255)],
    ['a header cut short', prefix(20)],
    ['text that is not JSON', blobWith('{"__metadata__":')],
    ['text that is not UTF-8', Uint8Array.from([...prefix(2), 0xc3, 0x28])],
    ['a list as header', blobWith('[]')],
    ['null as header', blobWith('null')],
    ['no kind', blobWith({})],
    ['a body that is not JSON', blobWith({ __metadata__: { kind: 'x', body: '{' } })],
    [
      'an unknown dtype',
      blobWith({ __metadata__: metadata, a: { dtype: 'F8', shape: [0], data_offsets: [0, 0] } }),
    ],
    [
      'a dtype from the prototype',
      blobWith({
        __metadata__: metadata,
        a: { dtype: 'toString', shape: [0], data_offsets: [0, 0] },
      }),
    ],
    [
      'a shape that is no list',
      blobWith(
        { __metadata__: metadata, a: { dtype: 'U8', shape: 1, data_offsets: [0, 1] } },
        Uint8Array.of(1),
      ),
    ],
    [
      'offsets backwards',
      blobWith({ __metadata__: metadata, a: { dtype: 'U8', shape: [1], data_offsets: [1, 0] } }),
    ],
    [
      'offsets beyond the limit',
      blobWith({
        __metadata__: metadata,
        a: { dtype: 'U8', shape: [2 ** 40], data_offsets: [0, 2 ** 40] },
      }),
    ],
    [
      'a shape whose product overflows',
      blobWith({
        __metadata__: metadata,
        a: { dtype: 'U8', shape: [2 ** 52, 2 ** 52], data_offsets: [0, 0] },
      }),
    ],
    [
      'a tensor of the wrong length',
      blobWith(
        { __metadata__: metadata, a: { dtype: 'F32', shape: [2], data_offsets: [0, 4] } },
        new Uint8Array(4),
      ),
    ],
    [
      'missing data',
      blobWith({ __metadata__: metadata, a: { dtype: 'F32', shape: [1], data_offsets: [0, 4] } }),
    ],
    ['bytes after the data', blobWith({ __metadata__: metadata }, Uint8Array.of(0))],
  ])('with %s are refused', (_, bytes) => {
    expect(() => decodeBlob(bytes)).toThrow(MalformedBlob);
  });

  it('with a hundred thousand tensors do not overflow the stack', () => {
    const entry = '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}';
    const many = Array.from({ length: 130_000 }, (_, i) => `"${i}":${entry}`).join();
    const blob = decodeBlob(blobWith(`{"__metadata__":{"kind":"x"},${many}}`));
    expect(Object.keys(blob.tensors)).toHaveLength(130_000);
  });

  it('whose tensors overlap are refused, so that one byte is never copied twice', () => {
    const entries = Object.fromEntries(
      ['a', 'b'].map((name) => [name, { dtype: 'F32', shape: [1], data_offsets: [1, 5] }]),
    );
    const bytes = blobWith({ __metadata__: metadata, ...entries }, new Uint8Array(5));
    expect(() => decodeBlob(bytes)).toThrow(/overlap/);
  });

  it('with deeply nested bodies are read or refused, without a crash', () => {
    const body = '['.repeat(1_000_000);
    expect(() => decodeBlob(blobWith({ __metadata__: { kind: 'x', body } }))).toThrow(
      MalformedBlob,
    );
  });
});
