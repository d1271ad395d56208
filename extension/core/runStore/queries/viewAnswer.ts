import type { Tensors } from '../../../protocol/safetensors';
import type { View } from '../../../protocol/views';

/** A view, and the numbers that go with it. */
export interface Answer {
  readonly view: View;
  readonly tensors?: Tensors;
}
