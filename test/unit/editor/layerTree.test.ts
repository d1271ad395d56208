import { describe, expect, it } from 'vitest';
import { layerNodes, layerTree, type TreeNode } from '../../../extension/core/editor/layerTree';
import { LayerTrack } from '../../../extension/core/runStore/layerTrack';
import { SeriesTable } from '../../../extension/core/runStore/seriesTable';
import { layerId } from '../../../extension/protocol/ids';
import { syntheticLayer } from '../../fixtures/syntheticRun';

const table = new SeriesTable(1 << 16);
const tracks = (names: readonly string[], calls: readonly number[] = []) =>
  names.map(
    (name, i) =>
      new LayerTrack(table, {
        ...syntheticLayer(i, 4, 2),
        id: layerId(i),
        name,
        call: calls[i] ?? 0,
      }),
  );

/** The tree as indented labels. */
function drawn(nodes: readonly TreeNode[], indent = ''): string[] {
  return nodes.flatMap((node) => [
    indent + (node.kind === 'more' ? `+${node.count}` : node.label),
    ...(node.kind === 'module' ? drawn(node.children, `${indent}  `) : []),
  ]);
}

describe('the tree of layers', () => {
  it('follows the modules in model order', () => {
    const names = ['stem.bn', 'blocks.0.norm1', 'blocks.0.norm2', 'blocks.1.norm1', 'norm'];
    expect(drawn(layerTree(tracks(names)))).toEqual([
      'stem',
      '  bn',
      'blocks',
      '  0',
      '    norm1',
      '    norm2',
      '  1',
      '    norm1',
      'norm',
    ]);
  });

  it('shows modules in one row that hold nothing but one another', () => {
    const names = ['model.encoder.layers.0.norm', 'model.encoder.layers.1.norm'];
    expect(drawn(layerTree(tracks(names)))).toEqual([
      'model.encoder.layers',
      '  0',
      '    norm',
      '  1',
      '    norm',
    ]);
  });

  it('tells the calls of a shared module apart, and names a model that is itself a norm', () => {
    expect(drawn(layerTree(tracks(['a.norm', 'a.norm', ''], [0, 1])))).toEqual([
      'a',
      '  norm',
      '  norm (2)',
      'RMSNorm',
    ]);
  });

  it('knows parents and all layers below a module', () => {
    const [root] = layerTree(tracks(['a.b.x', 'a.c.y']));
    expect(root?.kind === 'module' && root.layers.map(({ info }) => info.name)).toEqual([
      'a.b.x',
      'a.c.y',
    ]);
    const [leaf] = [...layerNodes(root ? [root] : [])];
    expect(leaf?.parent?.path).toBe('a.b');
    expect(leaf?.parent?.parent).toBe(root);
  });

  it('stays bounded for many layers and for endless names', () => {
    const wide = layerTree(tracks(Array.from({ length: 700 }, (_, i) => `n${i}`)));
    expect(wide).toHaveLength(501);
    expect(wide.at(-1)).toMatchObject({ kind: 'more', count: 200 });
    const deep = [`${'a.'.repeat(2000)}x`, `${'a.'.repeat(2000)}y`];
    const depth = (nodes: readonly TreeNode[]): number =>
      nodes.reduce(
        (most, node) => Math.max(most, node.kind === 'module' ? 1 + depth(node.children) : 1),
        0,
      );
    expect(depth(layerTree(tracks(deep)))).toBeLessThanOrEqual(24);
  });
});
