import type { AgentFrame, Layout, Step } from '../../protocol/frames';
import type { SlotIndex } from './slotIndex';

/** The tensors of a step, checked against its layout. */
export interface StepTensors {
  readonly block: Float32Array;
  readonly splits: Uint32Array;
  readonly bins: Uint16Array;
  readonly counts: Uint32Array;
}

/** A layout with its slots by layer and tap. */
export type ReceivedLayout = Layout & { readonly index: SlotIndex };

/** A step with the layout that it was packed by. */
export type ReceivedStep = Step & { readonly index: SlotIndex; readonly tensors: StepTensors };

/** A frame of an agent after validation. */
export type ReceivedFrame = Exclude<AgentFrame, Layout | Step> | ReceivedLayout | ReceivedStep;
