import { computed } from '@preact/signals';
import type { LayerId } from '../../../extension/protocol/ids';
import type { LayerRow } from '../../../extension/protocol/views';
import { groupLayers, modelRows, type LayerGroup, type ModelRow } from '../../charts/modelRows';
import { MAX_OPTION_LENGTH } from '../../../extension/protocol/panelState';
import { option, options } from '../../state/options';

/** Whether groups of layers are open or closed, but for those the person toggled since. */
export const groupsAre = option('groups', ['open', 'closed']);

/** Remembered with the panel: where each of those begins, the one toggled last at the end. */
const TOGGLED = 'groups.toggled';
const toggled = computed<ReadonlySet<string>>(
  () => new Set((options.value[TOGGLED] ?? '').split(' ')),
);

/** A group by its first layer: short, and unlike that of any other group. */
const beginningOf = ({ layers }: LayerGroup): string => String(layers[0]);

export const isCollapsed = (group: LayerGroup): boolean =>
  toggled.value.has(beginningOf(group)) !== (groupsAre.current.value === 'closed');

function setToggled(groups: readonly string[]): void {
  const kept = [...groups];
  // What is remembered is bounded: those toggled the longest ago are as all others again.
  while (kept.join(' ').length > MAX_OPTION_LENGTH) kept.shift();
  const others = Object.entries(options.peek()).filter(([name]) => name !== TOGGLED);
  options.value = Object.fromEntries(
    kept.length > 0 ? [...others, [TOGGLED, kept.join(' ')] as const] : others,
  );
}

export function toggleGroup(group: LayerGroup): void {
  if (group.layers.length < 2) return;
  const beginning = beginningOf(group);
  const others = [...toggled.peek()].filter((known) => known !== '' && known !== beginning);
  setToggled(toggled.peek().has(beginning) ? others : [...others, beginning]);
}

/** Opens or closes all groups. */
export function setGroups(are: 'open' | 'closed'): void {
  setToggled([]);
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
