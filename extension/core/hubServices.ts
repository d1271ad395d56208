import type { CaptureSettings, Endpoint } from '../protocol/environment';
import type { JudgedBreakpoint } from './breakpoints/layerBreakpoints';
import type { Log } from './log';
import type { RunStore } from './runStore/runStore';
import type { TraceFolder } from './trace/traceFolder';

/** What the sessions of one hub share. */
export interface HubServices {
  readonly store: RunStore;
  /** Undefined when no traces are written. */
  readonly traces: TraceFolder | undefined;
  readonly log: Log;
  readonly endpoint: Endpoint;
  capture(): CaptureSettings;
  /** What stops at the layers that the person chose, in every session. */
  layerBreakpoints(): readonly JudgedBreakpoint[];
}
