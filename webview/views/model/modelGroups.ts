import { signal } from '@preact/signals';
import type { LayerId } from '../../../extension/protocol/ids';
import type { LayerRow } from '../../../extension/protocol/views';
import { groupLayers, modelRows, type LayerGroup, type ModelRow } from '../../charts/modelRows';
import { option } from '../../state/options';

/** Whether groups of layers are open or closed, but for those the person toggled since. */
export const groupsAre = option('groups', ['open', 'closed']);
const toggled = signal<ReadonlySet<string>>(new Set());

export const isCollapsed = ({ key }: LayerGroup): boolean =>
  toggled.value.has(key) !== (groupsAre.current.value === 'closed');

export function toggleGroup({ key, layers }: LayerGroup): void {
  if (layers.length < 2) return;
  const next = new Set(toggled.peek());
  if (!next.delete(key)) next.add(key);
  toggled.value = next;
}

/** Opens or closes all groups. */
export function setGroups(are: 'open' | 'closed'): void {
  toggled.value = new Set();
  groupsAre.choose(are);
}

/** The rows of the charts over layers, as groups are open or closed now. */
export const rowsOf = (names: readonly string[]): readonly ModelRow[] =>
  modelRows(names, groupLayers(names), isCollapsed);

/** Names of layers by their ids, in the order of the ids. */
export function namesOf(ids: readonly LayerId[], layers: readonly LayerRow[]): readonly string[] {
  const byId = new Map(layers.map(({ info }) => [info.id, info.name]));
  return ids.map((id) => byId.get(id) ?? '');
}

/** Height for the rows of a chart over layers, in CSS pixels. */
export const roomForRows = (windowHeight: number): number => Math.max(240, windowHeight - 390);
