import type { SparseHistograms } from '../../protocol/bitBins';
import type { AgentFrame, Deep, Layout, Step } from '../../protocol/frames';
import type { Tap } from '../../protocol/layers';
import type { SlotIndex } from './slotIndex';

/** The tensors of a step, checked against its layout. */
export interface StepTensors extends SparseHistograms {
  readonly block: Float32Array;
}

/** Deep capture of one tap of F features; each part is there as far as the agent took it. */
export interface DeepTap {
  /** A row a feature. */
  readonly featureHistograms: SparseHistograms | undefined;
  /** A row a sample. */
  readonly sampleHistograms: SparseHistograms | undefined;
  /** Mean [F] and biased covariance [F · F] over so many rows. */
  readonly covariance:
    | { readonly mean: Float32Array; readonly matrix: Float32Array; readonly rows: number }
    | undefined;
  /** A sample of rows [r · F] and where they lie. */
  readonly rows: { readonly values: Float32Array; readonly indices: Uint32Array } | undefined;
}

export type DeepTaps = Readonly<Partial<Record<Tap, DeepTap>>>;

/** A layout with its slots by layer and tap. */
export type ReceivedLayout = Layout & { readonly index: SlotIndex };

/** A step with the layout that it was packed by. */
export type ReceivedStep = Step & { readonly index: SlotIndex; readonly tensors: StepTensors };

/** A deep frame with its tensors by tap, and the bytes of memory that those keep alive. */
export type ReceivedDeep = Deep & { readonly tensors: DeepTaps; readonly bytes: number };

/** A frame of an agent after validation. */
export type ReceivedFrame =
  Exclude<AgentFrame, Layout | Step | Deep> | ReceivedLayout | ReceivedStep | ReceivedDeep;
