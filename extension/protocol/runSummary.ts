import type { RunId } from './ids';

export type RunPhase = 'starting' | 'running' | 'paused' | 'ended' | 'disconnected';

export interface RunSummary {
  readonly id: RunId;
  /** File name of the program. */
  readonly program: string;
  readonly phase: RunPhase;
  /** One sentence for the phase when it needs one: why it ended, what is missing. */
  readonly notice: string | null;
  /** Null until the process has loaded one. */
  readonly framework: 'torch' | 'tfjs' | null;
  readonly frameworkVersion: string;
  readonly backend: string;
  /** 0 until the process has connected. */
  readonly pid: number;
  readonly rank: number;
  readonly worldSize: number;
  readonly startedAt: number;
  /** Debug session type that started it; empty when restored from a trace. */
  readonly sessionType: string;
  readonly layers: number;
  /** Optimizer updates seen so far. */
  readonly steps: number;
  readonly framesReceived: number;
  readonly framesDropped: number;
  readonly stepsSkipped: number;
  readonly interval: number;
  readonly overheadPercent: number | null;
  /** Of late, while it ran; null before it is known. */
  readonly stepsPerSecond: number | null;
  /** Captured steps whose figures were not derived, because the run was too fast for it. */
  readonly stepsNotAnalysed: number;
  /** The captured step that the person chose to measure drift against; null where none is. */
  readonly referenceStep: number | null;
  readonly firstLoss: number | null;
  readonly lastLoss: number | null;
}
