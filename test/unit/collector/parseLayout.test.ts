import { describe, expect, it } from 'vitest';
import { Fields } from '../../../extension/core/collector/fields';
import { parseLayout } from '../../../extension/core/collector/parseLayout';
import { SlotIndex } from '../../../extension/core/frames/slotIndex';
import { layerId } from '../../../extension/protocol/ids';
import { COUNTS, WHOLE } from '../../../extension/protocol/layers';
import { MalformedBlob } from '../../../extension/protocol/safetensors';
import { syntheticLayer, syntheticLayout } from '../../fixtures/syntheticRun';

const layer = syntheticLayer(1, 4, 3);
const layout = syntheticLayout([layer], 3);
const parse = (change: Record<string, unknown>) =>
  parseLayout(new Fields('layout frame', { ...layout, ...change }));
const slotOf = (statistic: string, length: number, offset = 0) => ({
  slots: [{ layer: layer.id, tap: 'pre', statistic, offset, length }],
});

describe('the slots of a layout', () => {
  it('are found by layer, tap, parameter and kind of histogram', () => {
    const parsed = parse({});
    expect(parsed).toEqual(layout);
    const index = new SlotIndex(parsed);
    const [first] = layout.parameters;
    expect(index.parameter(layer.id, 'gamma')).toEqual({ offset: first?.offset, length: 4 });
    expect(index.parameter(layer.id, 'runningMean')).toBeUndefined();
    expect(index.tap(layer.id, 'post')?.rows).toEqual({ values: 3, rowMean: 4, rowVariance: 5 });
    expect(index.tap(layer.id, 'post')?.statistics.whole?.length).toBe(WHOLE.length);
    expect(index.histogramRows).toBe(12);
  });

  it('may hold more counts and figures of the whole tensor than are known here', () => {
    expect(parse(slotOf('counts', COUNTS.length + 2)).slots).toHaveLength(1);
    expect(parse(slotOf('whole', WHOLE.length + 2)).slots).toHaveLength(1);
  });

  it('of parameters and histograms that are not known are skipped', () => {
    const parameters = [{ layer: layer.id, parameter: 'kernel', offset: 0, length: 9 }];
    const histograms = [{ layer: layer.id, tap: 'pre', of: 'rowMedian', row: 0 }];
    expect(parse({ parameters, histograms })).toMatchObject({ parameters: [], histograms: [] });
  });

  const parameter = { layer: layer.id, parameter: 'gamma', offset: 0, length: 4 };
  const histogram = { layer: layer.id, tap: 'pre', of: 'values', row: 0 };
  it.each<[string, Record<string, unknown>]>([
    ['with a short whole', slotOf('whole', WHOLE.length - 1)],
    ['with a short unpadded whole', slotOf('unpaddedWhole', 1)],
    ['with half a row in the extreme rows', slotOf('extremeRows', 22)],
    ['with more extreme rows than there are', slotOf('extremeRows', 27)],
    ['with an unpadded mean of other features', slotOf('unpaddedFeatureMean', 3)],
    ['with a parameter of other features', { parameters: [{ ...parameter, length: 3 }] }],
    ['with a parameter of no layer', { parameters: [{ ...parameter, layer: layerId(7) }] }],
    ['with a parameter beyond the block', { parameters: [{ ...parameter, offset: 1e6 }] }],
    ['with one parameter twice', { parameters: [parameter, parameter] }],
    ['with no list of parameters', { parameters: undefined }],
    ['with two histograms in a row', { histograms: [histogram, { ...histogram, tap: 'post' }] }],
    ['with one histogram twice', { histograms: [histogram, { ...histogram, row: 1 }] }],
    [
      'with parameters that do not fit in the block beside the rest',
      { blockLength: layout.blockLength - 1 },
    ],
    ['with a call below 0', { layers: [{ ...layer, call: -1 }] }],
  ])('are refused %s', (_, change) => {
    expect(() => parse(change)).toThrow(MalformedBlob);
  });

  it('may not overlap with the parameters', () => {
    const crowded = layout.parameters.map((slot) => ({ ...slot, offset: 0 }));
    expect(() => parse({ parameters: crowded, blockLength: layout.blockLength - 4 })).toThrow(
      MalformedBlob,
    );
  });
});
