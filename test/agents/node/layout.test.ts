import { describe, expect, it } from 'vitest';
import { LayerRegistry, MAX_CAPTURED } from '../../../extension/agents/node/layerRegistry';
import { makeLayout } from '../../../extension/agents/node/layout';
import { MAX_HEADER_BYTES } from '../../../extension/protocol/limits';
import { encodeBlob, headerLength } from '../../../extension/protocol/safetensors';

const KIND = { className: 'LayerNormalization', family: 'layer', featureAxis: null } as const;

/** Layers as they are after a step, each kept alive beside its record. */
function layers(count: number, note: string, features = 16) {
  const registry = new LayerRegistry();
  return Array.from({ length: count }, (_, index) => {
    const layer = { name: `model/encoder/block_${index}/layer_normalization_${index}` };
    const record = registry.add({ layer, kind: KIND, constructedAt: null });
    if (!record) throw new Error('There is no place.');
    record.mapFor([32, 8, features], 'float32');
    record.needSamples(32);
    record.hasParameters(['gamma', 'beta', 'gammaGradient', 'gammaUpdate']);
    if (note) record.note('padding', note);
    return { record, layer };
  });
}

const layoutOf = (made: ReturnType<typeof layers>) =>
  makeLayout(
    0,
    made.map(({ record }) => record),
  );

describe('a layout', () => {
  it('places everything side by side, and padding only where there is some', () => {
    const plain = layoutOf(layers(2, ''));
    const padded = layoutOf(layers(2, 'Some rows are padding.'));
    for (const { slots, parameters, histograms, blockLength } of [plain, padded]) {
      const places = [...slots, ...parameters].sort((a, b) => a.offset - b.offset);
      let offset = 0;
      for (const place of places) {
        expect(place.offset).toBe(offset);
        offset += place.length;
      }
      expect(blockLength).toBe(offset);
      expect(parameters.map(({ length }) => length)).toEqual(new Array(8).fill(16));
      expect(histograms.map(({ row }) => row)).toEqual([...Array(24).keys()]);
    }
    const unpadded = plain.slots.filter(({ statistic }) => statistic.startsWith('unpadded'));
    expect(unpadded).toEqual([]);
    expect(padded.slots.length - plain.slots.length).toBe(2 * 4 * 3);
  });

  it.each([
    ['long ones', 'x'.repeat(500)],
    ['quotation marks', '"'.repeat(300)],
    ['letters of three bytes', '层'.repeat(300)],
  ])('never outgrows a header, whatever the texts are: %s', (_, note) => {
    const made = layers(MAX_CAPTURED, note);
    const layout = layoutOf(made);
    const length = headerLength(encodeBlob(layout));
    expect(length).toBeLessThanOrEqual(MAX_HEADER_BYTES);
    expect(length).toBeGreaterThan(0.9 * MAX_HEADER_BYTES);
    expect(layout.layers).toHaveLength(MAX_CAPTURED);
    const last = layout.layers.at(-1);
    expect(layout.slots.some(({ layer }) => layer === last?.id)).toBe(false);
    expect(last?.status.at(-1)).toMatchObject({ code: 'unsupported' });
  });

  it('has room first for the layers that are in use', () => {
    const made = layers(3, '', 300_000);
    made.forEach(({ record }, index) => (record.idle = 3 - index));
    expect(layoutOf(made).slots[0]?.layer).toBe(made[2]?.record.id);
    expect(made.map(({ record }) => record.fits)).toEqual([false, false, true]);
  });

  it('leaves out a layer with more features than a block holds', () => {
    const { slots, parameters, histograms, layers: infos } = layoutOf(layers(2, '', 300_000));
    for (const places of [slots, parameters, histograms]) {
      expect(new Set(places.map(({ layer }) => layer))).toEqual(new Set([infos[0]?.id]));
    }
    expect(infos.map(({ status }) => status.length)).toEqual([0, 1]);
  });
});
