import { computed } from '@preact/signals';
import type { Alert } from '../../../extension/protocol/alerts';
import type { LayerId } from '../../../extension/protocol/ids';
import type { HeatMark } from '../../charts/heatMapMarks';
import { overview } from '../../state/panel';

/** Alerts that charts mark: the list has them all. */
export const MOST_MARKS = 60;

const NONE: readonly Alert[] = [];

/** What the run has to tell, worst first. */
export const alerts = computed<readonly Alert[]>(() => overview.value?.body.alerts ?? NONE);

/** What the charts call an alert: its place in the list, from 1. */
export const alertLabel = (index: number): string => String(index + 1);

/** The marks of the alerts on a chart of these layers. */
export function alertMarks(layers: readonly LayerId[]): readonly HeatMark[] {
  return alerts.value.slice(0, MOST_MARKS).flatMap((alert, i) => {
    const layer = layers.indexOf(alert.layer);
    if (layer < 0) return [];
    const { severity, since, last, active } = alert;
    return [{ layer, severity, since, last, active, label: alertLabel(i) }];
  });
}
