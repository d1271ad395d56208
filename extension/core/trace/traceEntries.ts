import type { FileHandle } from 'node:fs/promises';
import { headerLength, MalformedBlob, parseHeader, PREFIX_BYTES } from '../../protocol/safetensors';

/** One frame in a trace file. */
export interface TraceEntry {
  readonly kind: string;
  readonly offset: number;
  /** Bytes of the whole frame. */
  readonly length: number;
}

/** How a scan came to the end of the file. */
export type TraceEnd = 'complete' | 'torn';

async function readAt(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) throw new MalformedBlob('The trace became shorter while it was read.');
    filled += bytesRead;
  }
  return bytes;
}

/** The bytes of a frame. */
export function readEntry(file: FileHandle, entry: TraceEntry): Promise<Uint8Array> {
  return readAt(file, entry.offset, entry.length);
}

/**
 * Walks over the frames of a trace, reading headers only.
 *
 * @returns `torn` when the last frame is not whole, as after a crash.
 * @throws MalformedBlob where the file is not a trace (any more).
 */
export async function* traceEntries(
  file: FileHandle,
  size: number,
): AsyncGenerator<TraceEntry, TraceEnd> {
  let offset = 0;
  while (offset < size) {
    if (offset + PREFIX_BYTES > size) return 'torn';
    const dataStart =
      offset + PREFIX_BYTES + headerLength(await readAt(file, offset, PREFIX_BYTES));
    if (dataStart > size) return 'torn';
    const header = parseHeader(
      await readAt(file, offset + PREFIX_BYTES, dataStart - offset - PREFIX_BYTES),
    );
    const end = dataStart + header.dataLength;
    if (end > size) return 'torn';
    yield { kind: header.kind, offset, length: end - offset };
    offset = end;
  }
  return 'complete';
}
