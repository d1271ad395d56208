import type { LayerId, LayoutId } from './ids';
import type { HistogramSlot, LayerInfo, ParameterSlot, Slot, Tap } from './layers';
import type { NonFiniteFigures } from './tensorBreakpoints';

/** What an agent sends. Each is the JSON body of a safetensors blob; see `safetensors.ts`. */

export const PROTOCOL_VERSION = 2;

/** First frame of a connection. */
export interface Hello {
  readonly kind: 'hello';
  readonly protocol: number;
  readonly agent: 'python' | 'node';
  readonly framework: 'torch' | 'tfjs';
  readonly frameworkVersion: string;
  /** Where tensors live: `cpu`, `cuda`, `tensorflow`, `webgl`, … */
  readonly backend: string;
  readonly runtimeVersion: string;
  readonly pid: number;
  /** The script as the user would name it. */
  readonly program: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Process rank in a process group; 0 alone. */
  readonly rank: number;
  readonly worldSize: number;
}

/** Sent once and whenever something in it changes; always before the first step that uses it. */
export interface Layout {
  readonly kind: 'layout';
  readonly layoutId: LayoutId;
  /** In model order. */
  readonly layers: readonly LayerInfo[];
  readonly slots: readonly Slot[];
  readonly parameters: readonly ParameterSlot[];
  readonly histograms: readonly HistogramSlot[];
  /** Length of the packed block in float32 elements. */
  readonly blockLength: number;
}

/**
 * One step. Tensors:
 * - `block` F32 [blockLength]: the slots and parameters of the layout;
 * - `splits` U32 [rows + 1], `bins` U16 [k], `counts` U32 [k]: the histograms as compressed sparse
 *   rows: row r has bins[splits[r] … splits[r+1]) with those counts.
 */
export interface Step {
  readonly kind: 'step';
  readonly layoutId: LayoutId;
  /** Optimizer updates before this one, from 0. */
  readonly step: number;
  /** Milliseconds since `hello.startedAt`. */
  readonly time: number;
  /** Value of the tensor `backward` was called on, averaged over micro-batches; null where unknown. */
  readonly loss: number | null;
  /** Backward passes in this step. */
  readonly microBatches: number;
  /** Steps not sent since the run began because the collector was slow. */
  readonly dropped: number;
  /** Steps not captured since the run began to keep within the budget. */
  readonly skipped: number;
  /** Capture's share of step time over the last steps, in percent; null before it is known. */
  readonly overheadPercent: number | null;
  /** Every how manyeth step is captured now. */
  readonly interval: number;
  /** Share of each tap's values that went into its histogram: one in `histogramStride`. */
  readonly histogramStride: number;
  /** Factor of the gradient scaler, which the figures are without; null where there is none. */
  readonly lossScale: number | null;
}

/**
 * Deep capture of one layer in focus at one step. Tensors, for a tap `t` of F features:
 * - `t.featureSplits`, `t.featureBins`, `t.featureCounts`: a histogram for each feature, and
 *   `t.sampleSplits`, `t.sampleBins`, `t.sampleCounts`: one for each sample, as compressed sparse
 *   rows over the bins of `bitBins.ts`;
 * - `t.mean` F32 [F], `t.covariance` F32 [F · F], biased, over `t.covarianceRows` U32 [1] rows of
 *   finite values; for `pre` and `post` up to {@link MAX_COVARIANCE_FEATURES} features;
 * - `t.rows` F32 [r · F] and `t.rowIndices` U32 [r]: a sample of rows, spread evenly; for `pre` and
 *   `gradPost`, the same rows of both where they have as many.
 */
export interface Deep {
  readonly kind: 'deep';
  readonly layer: LayerId;
  readonly step: number;
  readonly features: number;
  /** Taps that fired. */
  readonly taps: readonly Tap[];
}

/** Something the person should be told. */
export interface AgentEvent {
  readonly kind: 'event';
  readonly event:
    | 'no-norm-layer'
    | 'no-optimizer-step'
    | 'too-many-layers'
    | 'hook-failed'
    | 'unsupported'
    | 'breakpoint-unanswered';
  /** One sentence that says what happened and what to do. */
  readonly message: string;
}

export interface AgentLog {
  readonly kind: 'log';
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly message: string;
}

/** Asks whether to stop in the debugger, and waits for the verdict of `commands.ts`. */
interface Question {
  readonly kind: 'question';
  /** Counted from 0 in a connection. */
  readonly question: number;
  readonly step: number;
}

/** A step was sent and is over. */
export interface StepOver extends Question {
  readonly about: 'step';
}

/** A tap saw values that are not finite. */
export interface NonFiniteFound extends Question, NonFiniteFigures {
  readonly about: 'nonfinite';
  readonly layer: LayerId;
  /** The layer's name, which no layout may have told yet. */
  readonly name: string;
  readonly tap: Tap;
}

/** A stop that a verdict ordered has been, or will not be: the process found no place for it. */
export interface StopOver {
  readonly kind: 'stop-over';
}

/** Last frame of a process that ends in order. */
export interface Bye {
  readonly kind: 'bye';
  /** Optimizer updates seen. */
  readonly steps: number;
  readonly sent: number;
  readonly dropped: number;
  readonly skipped: number;
  /** Exceptions caught in agent code. */
  readonly errors: number;
}

export type AgentQuestion = StepOver | NonFiniteFound;

export type AgentFrame =
  Hello | Layout | Step | Deep | AgentEvent | AgentLog | AgentQuestion | StopOver | Bye;
