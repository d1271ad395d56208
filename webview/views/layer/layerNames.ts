import type { Family } from '../../../extension/protocol/layers';
import type { PanelStringKey } from '../../../extension/protocol/panelStrings';

const FAMILY_NAMES: Readonly<Record<Family, PanelStringKey>> = {
  batch: 'familyBatch',
  layer: 'familyLayer',
  rms: 'familyRms',
  group: 'familyGroup',
  instance: 'familyInstance',
  other: 'familyOther',
};

export const familyName = (family: Family): PanelStringKey => FAMILY_NAMES[family];

/** `blocks.2.` and `norm1` of `blocks.2.norm1`: the first part may be cut, the last never is. */
export function splitName(name: string): readonly [path: string, leaf: string] {
  const at = name.lastIndexOf('.') + 1;
  return [name.slice(0, at), name.slice(at)];
}
