import type { StepRecord } from '../../extension/core/runStore/stepRecord';
import type { TapReading } from '../../extension/core/runStore/tapReading';
import type { Parameter, Tap } from '../../extension/protocol/layers';
import type { Comparison } from './comparison';

/** A layer as the programs of both agents build it. */
export interface LayerSpec {
  readonly kind:
    | 'batch_norm'
    | 'layer_norm'
    | 'layer_norm_simple'
    | 'rms_norm'
    | 'group_norm'
    | 'instance_norm'
    | 'detach_norm'
    | 'ada_norm';
  readonly features: number;
  readonly eps: number;
  readonly groups?: number;
  readonly detachMean?: boolean;
  readonly detachStd?: boolean;
  /** Of AdaNorm. */
  readonly C?: number;
  readonly k?: number;
  readonly gamma?: readonly number[];
  readonly beta?: readonly number[];
  readonly runningMean?: readonly number[];
  readonly runningVariance?: readonly number[];
}

/** One forward and backward pass; features lie along `featureAxis`. */
export interface Batch {
  readonly shape: readonly number[];
  readonly featureAxis: number;
  readonly x: readonly number[];
  /** dL/dy. */
  readonly g: readonly number[];
}

/** What a step captured of the one layer that ran in it. */
export interface CapturedStep {
  tap(tap: Tap): TapReading | undefined;
  parameter(parameter: Parameter): Float32Array;
}

export const capturedStep = (
  record: StepRecord,
  layer: Parameters<StepRecord['tap']>[0],
): CapturedStep => ({
  tap: (tap) => record.tap(layer, tap),
  parameter: (parameter) => record.parameter(layer, parameter),
});

export type AgentEngine = 'python' | 'tfjs';

export interface AgentStep {
  /** Micro-batches of one optimizer step. */
  readonly batches: readonly Batch[];
  readonly compare: (step: CapturedStep, engine: AgentEngine) => readonly Comparison[];
}

/** One layer over some steps in a real program. */
export interface AgentCase {
  readonly name: string;
  readonly layer: LayerSpec;
  /** `float16`: x is rounded to it, and the program runs in it. */
  readonly dtype: 'float32' | 'float16';
  readonly engines: readonly AgentEngine[];
  readonly steps: readonly AgentStep[];
}

export interface CoreCase {
  readonly name: string;
  readonly comparisons: readonly Comparison[];
}

/** All that one vector file asks of the engines. */
export interface VectorCases {
  readonly core: readonly CoreCase[];
  readonly agents: readonly AgentCase[];
}
