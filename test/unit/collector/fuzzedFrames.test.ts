import { describe, expect, it } from 'vitest';
import { AgentFrameParser } from '../../../extension/core/collector/parseAgentFrame';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { BlobReader } from '../../../extension/protocol/blobReader';
import { layerId, runId } from '../../../extension/protocol/ids';
import { decodeBlob, MalformedBlob } from '../../../extension/protocol/safetensors';
import { framesOf, seeded, syntheticRun } from '../../fixtures/syntheticRun';

const stream = new Uint8Array(
  Buffer.concat(framesOf(syntheticRun({ layers: 1, steps: 3, samples: 3, features: 3 }))),
);

/** Feeds bytes all the way into a store and asks it for everything. */
function swallow(bytes: Uint8Array): 'taken' | 'refused' {
  const store = new RunStore({ maxRunBytes: 1024 * 1024 });
  const run = store.create({ id: 'f', program: 'f.py', sessionType: '', startedAt: 0 });
  const reader = new BlobReader();
  const parser = new AgentFrameParser();
  let outcome: 'taken' | 'refused' = 'taken';
  try {
    for (const blob of reader.push(bytes)) {
      const frame = parser.parse(blob);
      if (frame) store.accept(run, frame);
    }
  } catch (error) {
    if (!(error instanceof MalformedBlob)) throw error;
    expect(error.message).toMatch(/^[A-Z].*\.$/s);
    outcome = 'refused';
  }
  for (const layer of store
    .layers(runId('f'))
    .map(({ id }) => id)
    .concat(layerId(7))) {
    decodeBlob(store.query({ view: 'overview', run: runId('f'), points: 9 }));
    decodeBlob(
      store.query({
        view: 'layer',
        run: runId('f'),
        layer,
        step: 1,
        points: 9,
        ridges: 4,
        ridgePoints: 8,
      }),
    );
  }
  return outcome;
}

/** Changes one thing about the bytes: a bit, a run of bytes, a length, a digit of the JSON. */
function mutated(random: () => number): Uint8Array {
  const bytes = stream.slice();
  const below = (limit: number) => Math.floor(random() * limit);
  const at = below(bytes.length);
  switch (below(5)) {
    case 0:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
      return bytes;
    case 1:
      for (let i = at; i < Math.min(bytes.length, at + below(40)); i++) bytes[i] = below(256);
      return bytes;
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return new Uint8Array(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + below(30))]));
    default: {
      const digits = [...bytes.keys()].filter(
        (i) => (bytes[i] ?? 0) >= 48 && (bytes[i] ?? 0) <= 57,
      );
      bytes[digits[below(digits.length)] ?? 0] = 48 + below(10);
      return bytes;
    }
  }
}

describe('damaged frames', () => {
  it('are taken or refused with a sentence, never anything else, when one thing is changed', () => {
    const random = seeded(101);
    const outcomes = { taken: 0, refused: 0 };
    for (let i = 0; i < 800; i++) outcomes[swallow(mutated(random))]++;
    // Both happen, so the mutations reach the validation and beyond.
    expect(outcomes.taken).toBeGreaterThan(50);
    expect(outcomes.refused).toBeGreaterThan(200);
  });

  it('of random bytes are refused or waited for', () => {
    const random = seeded(103);
    for (let i = 0; i < 500; i++) {
      const bytes = Uint8Array.from({ length: Math.floor(random() * 400) }, () => random() * 256);
      // A plausible header length, so that the header itself is looked at.
      if (i % 2 === 0 && bytes.length > 8) bytes.fill(0, 1, 8);
      swallow(bytes);
    }
  });

  it('announcing much data take no memory before it arrives', () => {
    const header = `{"__metadata__":{"kind":"step"},"a":{"dtype":"U8","shape":[60000000],"data_offsets":[0,60000000]}}`;
    const bytes = new Uint8Array(8 + header.length);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
    bytes.set(new TextEncoder().encode(header), 8);
    const before = process.memoryUsage().arrayBuffers;
    const readers = Array.from({ length: 50 }, () => {
      const reader = new BlobReader();
      expect([...reader.push(bytes)]).toEqual([]);
      return reader;
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
    expect(readers[0]?.pending).toBe(bytes.length);
  });
});
