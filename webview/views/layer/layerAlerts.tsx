import type { LayerInfo } from '../../../extension/protocol/layers';
import { formatCount } from '../../format';
import { chooseStep } from '../../state/runs';
import { text } from '../../strings';
import { AlertCard } from '../alerts/alertCard';
import { alerts } from '../alerts/alertMarks';

/** What the run has to tell of this layer, worst first; nothing where all is well. */
export function LayerAlerts({ info }: { readonly info: LayerInfo }) {
  const own = alerts.value.filter(({ layer }) => layer === info.id);
  if (own.length === 0) return null;
  return (
    <section class="layer-alerts" aria-labelledby="layer-alerts-title">
      <h3 id="layer-alerts-title">
        {text('layerAlerts')} <span class="count">{formatCount(own.length)}</span>
      </h3>
      <ol class="alert-list">
        {own.map((alert) => (
          <AlertCard
            key={`${alert.rule} ${alert.tap} ${alert.since}`}
            alert={alert}
            onChoose={() => chooseStep(alert.since)}
          />
        ))}
      </ol>
    </section>
  );
}
