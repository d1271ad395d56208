import { groupLayers } from '../../charts/modelRows';
import { rows } from '../../state/panel';
import { text } from '../../strings';
import { groupsAre, setGroups } from './modelGroups';

/** Opens or closes all groups of layers, where there are any. */
export function GroupsButton() {
  const groups = groupLayers(rows.value.map(({ info }) => info.name));
  if (groups.every(({ path }) => path === '')) return null;
  const closed = groupsAre.current.value === 'closed';
  return (
    <button
      type="button"
      class="quiet-button"
      onClick={() => setGroups(closed ? 'open' : 'closed')}
    >
      <span class={`codicon codicon-${closed ? 'expand' : 'collapse'}-all`} aria-hidden="true" />
      {text(closed ? 'groupsOpen' : 'groupsClose')}
    </button>
  );
}
