import type { LayerId } from '../../../extension/protocol/ids';
import type { LayerRow as Row } from '../../../extension/protocol/views';
import { Sparkline } from '../../charts/sparkline';
import { formatCount, formatNumber } from '../../format';
import type { Numbers } from '../../state/viewData';
import { text } from '../../strings';
import { familyName, splitName } from './layerNames';

export const ROW_HEIGHT = 26;

type Health = 'healthy' | 'waiting' | 'nonFinite' | 'limited';

function healthOf({ info, nonFinite, preStd, postStd }: Row): Health {
  if (nonFinite > 0) return 'nonFinite';
  if (info.status.length > 0) return 'limited';
  return preStd === null && postStd === null ? 'waiting' : 'healthy';
}

function healthSentence(row: Row, health: Health): string {
  switch (health) {
    case 'nonFinite':
      return text('rowNonFinite', formatCount(row.nonFinite));
    case 'limited':
      return row.info.status.map(({ reason }) => reason).join(' ') || text('rowLimited');
    case 'waiting':
      return text('rowWaiting');
    case 'healthy':
      return text('rowHealthy');
  }
}

interface LayerRowProps {
  readonly row: Row;
  readonly index: number;
  readonly count: number;
  readonly selected: boolean;
  readonly drift: Numbers;
  readonly driftTop: number;
  readonly onChoose: (id: LayerId) => void;
}

export function LayerRow(props: LayerRowProps) {
  const { row, index, count, selected, drift, driftTop, onChoose } = props;
  const { info } = row;
  const [path, leaf] = splitName(info.name);
  const health = healthOf(row);
  const sentence = text(
    'rowSentence',
    info.name,
    info.className,
    healthSentence(row, health),
    formatNumber(row.drift),
    formatNumber(row.driftFloor),
  );
  return (
    <div
      id={`layer-${info.id}`}
      class="row"
      role="option"
      aria-selected={selected}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-label={sentence}
      title={sentence}
      style={{ top: `${index * ROW_HEIGHT}px` }}
      onClick={() => onChoose(info.id)}
    >
      <span class={`health ${health}`} aria-hidden="true" />
      <span class="name" aria-hidden="true">
        <span class="path">{path}</span>
        <span class="leaf">{leaf}</span>
      </span>
      <span class="family" aria-hidden="true">
        {text(familyName(info.family))}
      </span>
      <Sparkline values={drift} top={driftTop} />
    </div>
  );
}
