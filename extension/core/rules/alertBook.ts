import { SEVERITIES, type Alert } from '../../protocol/alerts';

/** An alert that its spell goes on changing. */
export type OpenAlert = { -readonly [Key in keyof Alert]: Alert[Key] };

/** Most alerts that are kept of a run. */
export const MAX_ALERTS = 500;

/** Active before ended, then worst first, then active ones by age and ended ones newest first. */
function order(a: Alert, b: Alert): number {
  if (a.active !== b.active) return a.active ? -1 : 1;
  const worse = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return worse || (a.active ? a.since - b.since : b.last - a.last);
}

/** The alerts of one run. When there are too many, the last in their order goes. */
export class AlertBook {
  private alerts: OpenAlert[] = [];

  constructor(private readonly most = MAX_ALERTS) {}

  open(alert: OpenAlert): void {
    this.alerts.push(alert);
    if (this.alerts.length <= this.most) return;
    this.alerts.sort(order);
    this.alerts.pop();
  }

  /** Copies, in their order. */
  all(): readonly Alert[] {
    return this.alerts.map((alert): Alert => ({ ...alert })).sort(order);
  }
}
