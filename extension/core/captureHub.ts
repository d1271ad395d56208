import type { CaptureSettings } from '../protocol/environment';
import type { LayerId, RunId } from '../protocol/ids';
import type { RuleSettings } from '../protocol/ruleSettings';
import { layerBreakpoints, type JudgedBreakpoint } from './breakpoints/layerBreakpoints';
import type { CaptureSession, SessionOrigin } from './captureSession';
import { Collector } from './collector/collector';
import { matchToken } from './collector/tokens';
import { LiveSession } from './liveSession';
import { messageOf, type Log } from './log';
import { RunStore } from './runStore/runStore';
import { replayTrace } from './trace/replayTrace';
import { TraceFolder } from './trace/traceFolder';

export type { CaptureSession } from './captureSession';

export interface HubOptions {
  /** Folder for the owner-only socket folder; the system's folder for temporary files if its path is too long. */
  readonly socketRoot?: string;
  /** Where the traces of the last runs are kept; null: none are written. */
  readonly traceDir: string | null;
  /** Most bytes of one run's trace. */
  readonly maxTraceBytes?: number;
  /** Most bytes of one run in memory. */
  readonly maxRunBytes?: number;
  /** Runs kept in memory; the oldest ones that are over go first. */
  readonly maxRuns?: number;
  readonly capture: CaptureSettings;
  readonly rules?: RuleSettings;
  readonly log?: Log;
}

const DEFAULT_MAX_TRACE_BYTES = 256 * 1024 * 1024;
/** How long the host of a window that is being reloaded may take to finish its traces. */
const HANDOVER_MS = 5_000;

/** Receives what training processes send, and keeps it. One for each window. */
export class CaptureHub {
  private readonly sessions = new Set<LiveSession>();
  private collector: Collector | undefined;
  private layerBreakpoints: readonly JudgedBreakpoint[] = [];
  private disposed = false;

  private constructor(
    readonly store: RunStore,
    private capture: CaptureSettings,
    private readonly traces: TraceFolder | undefined,
    private readonly log: Log,
  ) {}

  /** @throws when there is no way for processes to connect. */
  static async start(options: HubOptions): Promise<CaptureHub> {
    const log = options.log ?? (() => {});
    const maxTraceBytes = options.maxTraceBytes ?? DEFAULT_MAX_TRACE_BYTES;
    const traces =
      options.traceDir === null
        ? undefined
        : await TraceFolder.at(options.traceDir, maxTraceBytes, log);
    const { maxRunBytes, maxRuns, rules } = options;
    const store = new RunStore({
      ...(maxRunBytes === undefined ? {} : { maxRunBytes }),
      ...(maxRuns === undefined ? {} : { maxRuns }),
      ...(rules === undefined ? {} : { rules }),
    });
    const hub = new CaptureHub(store, options.capture, traces, log);
    hub.collector = await Collector.start({
      socketRoot: options.socketRoot,
      log,
      admit: (token, connection) => matchToken(token, hub.sessions)?.attach(connection),
    });
    return hub;
  }

  /** Whether processes are to be captured at all. */
  get captureEnabled(): boolean {
    return this.capture.enabled;
  }

  /** A debug session begins: makes a run that waits for its process, and the process's environment. */
  openSession(origin: SessionOrigin): CaptureSession {
    const { collector, store, traces, log } = this;
    if (!collector || this.disposed) throw new Error('The collector is not running.');
    const services = {
      store,
      traces,
      log,
      endpoint: collector.endpoint,
      capture: () => this.capture,
      layerBreakpoints: () => this.layerBreakpoints,
    };
    const session = new LiveSession(services, origin, (over) => this.sessions.delete(over));
    this.sessions.add(session);
    return session;
  }

  sessionByToken(token: string): CaptureSession | undefined {
    return matchToken(Buffer.from(token, 'ascii'), this.sessions);
  }

  /** Changes the settings of all processes, now and later. */
  setCapture(settings: CaptureSettings): void {
    this.capture = settings;
    for (const session of this.sessions) session.configure();
  }

  /** Changes the rules of all runs, from their next steps on. */
  setRules(rules: RuleSettings): void {
    this.store.setRules(rules);
  }

  /**
   * Has processes stop at the layers of these names, now and later, beside what each session's own
   * breakpoints say: at NaN or infinite values, and where a rule speaks of them.
   */
  setLayerBreakpoints(names: Iterable<string>): void {
    this.layerBreakpoints = layerBreakpoints(names);
    for (const session of this.sessions) session.layerBreakpointsChanged();
  }

  /** Tells the process of a run which of its layers are looked at. */
  focus(run: RunId, layers: readonly LayerId[]): void {
    for (const session of this.sessions) session.focus(run, layers);
  }

  /** Loads the kept traces of earlier runs, after a reload of the window. */
  async restore(): Promise<void> {
    if ((await this.restoreKept()) === 0) return;
    await new Promise<void>((resolve) => setTimeout(resolve, HANDOVER_MS).unref());
    await this.restoreKept();
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    for (const session of [...this.sessions]) session.close();
    await this.collector?.dispose();
    await this.traces?.close();
    this.store.dispose();
  }

  /** @returns how many traces were left out because another process writes them */
  private async restoreKept(): Promise<number> {
    if (!this.traces || this.disposed) return 0;
    const { kept, elsewhere } = await this.traces.list();
    for (const path of kept) {
      try {
        await replayTrace(path, this.store);
      } catch (error) {
        this.log('warning', messageOf(error));
      }
    }
    return elsewhere.length;
  }
}
