import { SEVERITIES, type Alert } from '../../protocol/alerts';
import type { AlertStrings } from '../../protocol/alertSentences';
import type { LayerId } from '../../protocol/ids';
import type { Run } from '../runStore/run';
import type { RunStore } from '../runStore/runStore';
import { alertWords, type AlertWords } from './alertWords';
import { CurrentRun } from './currentRun';
import { LocationIndex } from './locationIndex';

/** How often what stands in the editor changes at most. */
const INTERVAL_MS = 400;

/** What the editor, the tree, the status bar and Problems know of the run store, at a slow pace. */
export class EditorModel {
  readonly current: CurrentRun;
  readonly locations: LocationIndex;
  private readonly listeners = new Set<() => void>();
  private readonly subscription: { dispose(): void };
  private timer: NodeJS.Timeout | undefined;
  private readonly alerts = new Map<Run, readonly Alert[]>();

  constructor(
    readonly store: RunStore,
    private readonly strings: AlertStrings,
    private readonly onError: (error: unknown) => void,
    private readonly intervalMs = INTERVAL_MS,
  ) {
    this.current = new CurrentRun(store);
    this.locations = new LocationIndex(store);
    this.subscription = store.onDidChange(() => this.changed());
    this.changed();
  }

  /** Calls back after changes, a few times a second at most. */
  onDidChange(listener: () => void): { dispose(): void } {
    const entry = () => listener();
    this.listeners.add(entry);
    return { dispose: () => void this.listeners.delete(entry) };
  }

  /** Something that the store does not know of has changed. */
  changed(): void {
    this.alerts.clear();
    this.timer ??= setTimeout(() => this.tell(), this.intervalMs);
  }

  /** What is out of the ordinary in a run right now, worst first. */
  activeAlerts(run: Run): readonly Alert[] {
    let active = this.alerts.get(run);
    if (!active) {
      active = run.alerts().filter((alert) => alert.active);
      this.alerts.set(run, active);
    }
    return active;
  }

  /** Those of some layers. */
  alertsOf(run: Run, layers: Iterable<LayerId>): readonly Alert[] {
    const among = new Set(layers);
    return this.activeAlerts(run).filter(({ layer }) => among.has(layer));
  }

  /** An alert in the language of VS Code; names of layers in it are the process's own words. */
  inWords(run: Run, alert: Alert): AlertWords {
    return alertWords(alert, this.strings, (id) => run.layer(id)?.info.name);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.listeners.clear();
  }

  private tell(): void {
    this.timer = undefined;
    this.locations.refresh();
    for (const listener of [...this.listeners]) {
      try {
        listener();
      } catch (error) {
        this.onError(error);
      }
    }
  }
}

/** The worst of them; undefined where there is none. */
export function worstOf(alerts: readonly Alert[]): Alert['severity'] | undefined {
  return SEVERITIES.find((severity) => alerts.some((alert) => alert.severity === severity));
}
