import { describe, expect, it } from 'vitest';
import { LayerRegistry, MAX_CAPTURED } from '../../../extension/agents/node/layerRegistry';
import type { NormLayer } from '../../../extension/agents/node/tfjs';

const KIND = { className: 'LayerNormalization', family: 'layer', featureAxis: null } as const;
const found = (layer: NormLayer) => ({ layer, kind: KIND, constructedAt: null });
const layerNamed = (name: string): NormLayer => ({ name, _refCount: 1 });

function steps(registry: LayerRegistry, count: number): void {
  for (let step = 0; step < count; step += 1) registry.endStep();
}

describe('the layers that are captured', () => {
  it('are never more than a frame can announce, and make room for new ones when idle', () => {
    const registry = new LayerRegistry();
    const layers = Array.from({ length: MAX_CAPTURED + 1 }, (_, i) => layerNamed(`norm${i}`));
    const records = layers.map((layer) => registry.add(found(layer)));
    expect(records.at(-2)).not.toBeNull();
    expect(records.at(-1)).toBeNull();
    steps(registry, 19);
    for (const record of records.slice(0, 10)) if (record) record.idle = 0;
    steps(registry, 1);
    const late = registry.add(found(layerNamed('late')));
    expect(registry.all.map(({ name }) => name)).toEqual([
      ...layers.slice(0, 10).map(({ name }) => name),
      'late',
    ]);
    expect(Number(late?.id)).toBe(MAX_CAPTURED);
    expect(records[10]?.dropped).toBe(true);
  });

  it('leave after 500 captured steps without a call, though something still holds them', () => {
    const registry = new LayerRegistry();
    const [layer, other] = [layerNamed('norm'), layerNamed('other')];
    const record = registry.add(found(layer));
    const used = registry.add(found(other));
    for (let step = 0; step < 500; step += 1) {
      if (used) used.idle = 0;
      registry.endStep();
    }
    expect(registry.all).toEqual([record, used]);
    if (used) used.idle = 0;
    registry.endStep();
    expect(registry.all).toEqual([used]);
    expect(registry.add(found(layer))?.name).toBe('norm');
  });
});
