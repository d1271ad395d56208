import { useState } from 'preact/hooks';
import type { Alert } from '../../../extension/protocol/alerts';
import { formatCount } from '../../format';
import { chooseLayer, selectedRow } from '../../state/panel';
import { chooseStep, stepChoice } from '../../state/runs';
import { text } from '../../strings';
import { AlertCard } from '../alerts/alertCard';
import { alertLabel, alerts, MOST_MARKS } from '../alerts/alertMarks';

/** Alerts shown until the person asks for more. */
const FIRST = 30;

const key = ({ rule, layer, tap, since }: Alert) => `${rule} ${layer} ${tap} ${since}`;

/** What the run has to tell: what is going on first, then what is over. */
export function AlertList() {
  const [all, showAll] = useState(false);
  const known = alerts.value;
  const shown = all ? known : known.slice(0, FIRST);
  const layer = selectedRow.value?.info.id;
  const cards = (active: boolean) =>
    shown.map((alert, i) =>
      alert.active === active ? (
        <AlertCard
          key={key(alert)}
          alert={alert}
          label={active && i < MOST_MARKS ? alertLabel(i) : ''}
          chosen={alert.layer === layer && alert.since === stepChoice.value}
          onChoose={() => {
            chooseLayer(alert.layer);
            chooseStep(alert.since);
          }}
        />
      ) : null,
    );
  const over = shown.some(({ active }) => !active);
  return (
    <aside class="side alerts" aria-labelledby="alerts-title">
      <h2 id="alerts-title">
        {text('alerts')} <span class="count">{formatCount(known.length)}</span>
      </h2>
      {known.length === 0 && <p class="hint">{text('alertsNone')}</p>}
      <ol class="alert-list">{cards(true)}</ol>
      {over && <h3 class="alerts-over">{text('alertsEnded')}</h3>}
      {over && <ol class="alert-list">{cards(false)}</ol>}
      {known.length > shown.length && (
        <button type="button" class="quiet-button" onClick={() => showAll(true)}>
          {text('alertsMore', formatCount(known.length - shown.length))}
        </button>
      )}
    </aside>
  );
}
