import { describe, expect, it } from 'vitest';
import { mayName, pointedLayers } from '../../../extension/core/editor/layerWords';
import { layerId } from '../../../extension/protocol/ids';
import type { LayerInfo } from '../../../extension/protocol/layers';
import { syntheticLayer } from '../../fixtures/syntheticRun';

const layer = (id: number, name: string, className: string): { info: LayerInfo } => ({
  info: { ...syntheticLayer(id, 4, 2), id: layerId(id), name, className },
});

/** Names of the layers at the place that `|` marks. */
function at(marked: string, layers: readonly { info: LayerInfo }[]) {
  const column = marked.indexOf('|');
  const found = pointedLayers(marked.replace('|', ''), column, layers);
  return found?.layers.map(({ info }) => info.name);
}

const BLOCKS = [layer(0, 'blocks.0.norm1', 'LayerNorm'), layer(1, 'blocks.1.norm1', 'LayerNorm')];
const PAIR = [layer(0, 'norm1', 'LayerNorm'), layer(1, 'norm2', 'BatchNorm1d')];

describe('what is pointed at in a line', () => {
  it('is every layer that a constructor made there', () => {
    const names = ['blocks.0.norm1', 'blocks.1.norm1'];
    expect(at('self.norm1 = nn.Layer|Norm(width)', BLOCKS)).toEqual(names);
    expect(at('self.no|rm1 = nn.LayerNorm(width)', BLOCKS)).toEqual(names);
  });

  it('is nothing at a word that is no layer', () => {
    expect(at('self.norm1 = nn.LayerNorm(wi|dth)', BLOCKS)).toBeUndefined();
    expect(at('x = x + self.drop|out(self.norm1(x))', BLOCKS)).toBeUndefined();
    expect(at('self.norm1(x) | # done', BLOCKS)).toBeUndefined();
  });

  it('tells two layers of one line apart by their names', () => {
    expect(at('return self.norm2(self.nor|m1(x))', PAIR)).toEqual(['norm1']);
    expect(at('return self.no|rm2(self.norm1(x))', PAIR)).toEqual(['norm2']);
  });

  it('knows a TensorFlow.js layer by its class, however it is written', () => {
    const layers = [layer(0, 'batch_norm', 'BatchNormalization')];
    expect(at("model.add(tf.layers.batchNormal|ization({ name: 'bn' }));", layers)).toEqual([
      'batch_norm',
    ]);
  });

  it('knows a function by its name', () => {
    const layers = [layer(0, 'encoder', 'layer_norm')];
    expect(at('return F.layer_n|orm(x, (8,))', layers)).toEqual(['encoder']);
  });

  it('takes the called for all layers where no word names one', () => {
    expect(at('const y = nor|malizer.apply(x);', BLOCKS)).toHaveLength(2);
    expect(at('loss = mod|el(x).mean()', BLOCKS)).toHaveLength(2);
    expect(at('lo|ss = model(x).mean()', BLOCKS)).toBeUndefined();
  });

  it('passes over numbers in a qualified name', () => {
    const layers = [layer(0, 'norms.3', 'RMSNorm')];
    expect(at('x = self.nor|ms[i](x)', layers)).toEqual(['norms.3']);
  });
});

describe('a line that may name a layer', () => {
  it('has its name or its class in it as a word', () => {
    const [{ info }] = PAIR as [{ info: LayerInfo }];
    expect(mayName('self.norm1 = make()', info)).toBe(true);
    expect(mayName('return LayerNorm(8)', info)).toBe(true);
    expect(mayName('self.norm10 = make()', info)).toBe(false);
  });
});
