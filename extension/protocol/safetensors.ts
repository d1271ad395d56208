/**
 * The one blob format of the wire, the trace and the panel: 8-byte little-endian header length,
 * JSON header, data (the safetensors format). Our JSON body is the header's `__metadata__.body`;
 * `__metadata__.kind` repeats its kind so that a reader can skip frames without parsing bodies.
 */
import { MAX_DATA_BYTES, MAX_HEADER_BYTES } from './limits';

const DTYPES = {
  F32: Float32Array,
  F64: Float64Array,
  U8: Uint8Array,
  U16: Uint16Array,
  U32: Uint32Array,
  I32: Int32Array,
} as const;

export type TensorData =
  Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array | Int32Array;

type DtypeName = keyof typeof DTYPES;
export type Tensors = Readonly<Record<string, TensorData>>;

export interface Blob {
  readonly kind: string;
  /** Parsed, but not validated. */
  readonly body: unknown;
  readonly tensors: Tensors;
}

/** The bytes are not a blob we accept; the message says why. */
export class MalformedBlob extends Error {
  override readonly name = 'MalformedBlob';
}

/** Length in bytes of the 8-byte prefix. */
export const PREFIX_BYTES = 8;

function dtypeOf(data: TensorData): DtypeName {
  if (data instanceof Float32Array) return 'F32';
  if (data instanceof Float64Array) return 'F64';
  if (data instanceof Uint8Array) return 'U8';
  if (data instanceof Uint16Array) return 'U16';
  if (data instanceof Uint32Array) return 'U32';
  return 'I32';
}

/**
 * Encodes a body and its tensors. Wider dtypes are laid out first and the header is padded to eight
 * bytes, so that every tensor is aligned and can be viewed without a copy.
 */
export function encodeBlob<Body extends { readonly kind: string }>(
  body: Body,
  tensors: Tensors = {},
): Uint8Array {
  const entries = Object.entries(tensors).sort(
    ([, a], [, b]) => b.BYTES_PER_ELEMENT - a.BYTES_PER_ELEMENT,
  );
  const header: Record<string, unknown> = {
    __metadata__: { kind: body.kind, body: JSON.stringify(body) },
  };
  let offset = 0;
  for (const [name, data] of entries) {
    header[name] = {
      dtype: dtypeOf(data),
      shape: [data.length],
      data_offsets: [offset, offset + data.byteLength],
    };
    offset += data.byteLength;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(json.length / 8) * 8;
  const blob = new Uint8Array(PREFIX_BYTES + padded + offset);
  new DataView(blob.buffer).setBigUint64(0, BigInt(padded), true);
  blob.set(json, PREFIX_BYTES);
  blob.fill(0x20, PREFIX_BYTES + json.length, PREFIX_BYTES + padded);
  let at = PREFIX_BYTES + padded;
  for (const [, data] of entries) {
    blob.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return blob;
}

/**
 * Header length of the blob that begins at `offset`.
 * @throws MalformedBlob when it exceeds {@link MAX_HEADER_BYTES}.
 */
export function headerLength(bytes: Uint8Array, offset = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, PREFIX_BYTES);
  const length = view.getBigUint64(0, true);
  if (length > BigInt(MAX_HEADER_BYTES)) {
    throw new MalformedBlob(
      `A frame announces a header of ${length} bytes; at most ${MAX_HEADER_BYTES} are accepted.`,
    );
  }
  return Number(length);
}

interface TensorEntry {
  readonly dtype: DtypeName;
  readonly begin: number;
  readonly end: number;
}

export interface BlobHeader {
  readonly kind: string;
  readonly bodyText: string;
  readonly entries: ReadonlyMap<string, TensorEntry>;
  /** Bytes of data after the header. */
  readonly dataLength: number;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function parseEntry(name: string, value: unknown): TensorEntry {
  const bad = (why: string) => new MalformedBlob(`Tensor "${name.slice(0, 64)}" ${why}.`);
  if (!isRecord(value)) throw bad('has no description');
  const { dtype, shape, data_offsets: offsets } = value;
  if (typeof dtype !== 'string' || !Object.hasOwn(DTYPES, dtype)) throw bad('has an unknown dtype');
  if (!Array.isArray(shape) || !shape.every(isCount)) throw bad('has a bad shape');
  if (!Array.isArray(offsets) || offsets.length !== 2) throw bad('has no data offsets');
  const [begin, end] = offsets as [unknown, unknown];
  if (!isCount(begin) || !isCount(end) || end < begin || end > MAX_DATA_BYTES) {
    throw bad('has data offsets out of bounds');
  }
  const width = DTYPES[dtype as DtypeName].BYTES_PER_ELEMENT;
  const elements = shape.reduce((product: number, size: number) => product * size, 1);
  if (elements * width !== end - begin) throw bad('has a shape that disagrees with its length');
  return { dtype: dtype as DtypeName, begin, end };
}

/**
 * Parses a header, given its JSON bytes.
 * @throws MalformedBlob when it is not one.
 */
export function parseHeader(json: Uint8Array): BlobHeader {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    throw new MalformedBlob('A frame header is not valid JSON.');
  }
  if (!isRecord(header)) throw new MalformedBlob('A frame header is not a JSON object.');
  const { __metadata__: metadata, ...rest } = header;
  if (!isRecord(metadata) || typeof metadata.kind !== 'string') {
    throw new MalformedBlob('A frame header names no kind.');
  }
  const entries = new Map(
    Object.entries(rest).map(([name, value]) => [name, parseEntry(name, value)] as const),
  );
  let dataLength = 0;
  let total = 0;
  for (const { begin, end } of entries.values()) {
    dataLength = Math.max(dataLength, end);
    total += end - begin;
  }
  if (total > dataLength) throw new MalformedBlob('The tensors of a frame overlap.');
  const bodyText = typeof metadata.body === 'string' ? metadata.body : '{}';
  return { kind: metadata.kind, bodyText, entries, dataLength };
}

function viewTensor(data: Uint8Array, entry: TensorEntry): TensorData {
  const type = DTYPES[entry.dtype];
  const length = (entry.end - entry.begin) / type.BYTES_PER_ELEMENT;
  const start = data.byteOffset + entry.begin;
  if (start % type.BYTES_PER_ELEMENT === 0)
    return new type(data.buffer as ArrayBuffer, start, length);
  return new type(data.slice(entry.begin, entry.end).buffer, 0, length);
}

/** Makes the blob of a parsed header and its data; tensors are views on `data` where alignment allows. */
export function blobOf(header: BlobHeader, data: Uint8Array): Blob {
  let body: unknown;
  try {
    body = JSON.parse(header.bodyText);
  } catch {
    throw new MalformedBlob(`The body of a "${header.kind.slice(0, 64)}" frame is not valid JSON.`);
  }
  const tensors = Object.fromEntries(
    [...header.entries].map(([name, entry]) => [name, viewTensor(data, entry)]),
  );
  return { kind: header.kind, body, tensors };
}

/**
 * Decodes one whole blob.
 * @throws MalformedBlob when the bytes are not exactly one blob.
 */
export function decodeBlob(bytes: Uint8Array): Blob {
  if (bytes.length < PREFIX_BYTES) throw new MalformedBlob('A frame is shorter than its prefix.');
  const length = headerLength(bytes);
  const dataStart = PREFIX_BYTES + length;
  if (bytes.length < dataStart) throw new MalformedBlob('A frame is shorter than its header.');
  const header = parseHeader(bytes.subarray(PREFIX_BYTES, dataStart));
  if (bytes.length !== dataStart + header.dataLength) {
    throw new MalformedBlob('A frame is not as long as its header says.');
  }
  return blobOf(header, bytes.subarray(dataStart));
}
