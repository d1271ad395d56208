import { decodeBlob, MalformedBlob, type Tensors } from '../../extension/protocol/safetensors';
import type { View } from '../../extension/protocol/views';

/** A view with its tensors, ready to draw. */
export interface Loaded<V extends View> {
  readonly body: V;
  readonly tensors: Tensors;
}

/** A row of numbers, whatever their width. */
export type Numbers = Float32Array | Float64Array;

const NONE = new Float32Array(0);

/**
 * Decodes the answer to a query.
 * @throws MalformedBlob when the bytes are not the blob of a view.
 */
export function decodeView(bytes: ArrayBuffer): Loaded<View> {
  const { body, tensors } = decodeBlob(new Uint8Array(bytes));
  if (typeof body !== 'object' || body === null || !('view' in body)) {
    throw new MalformedBlob('The answer is not a view.');
  }
  return { body: body as View, tensors };
}

/** A tensor of a view; empty where the view lacks it. */
export function numbers(view: Loaded<View>, name: string): Numbers {
  const data = view.tensors[name];
  return data instanceof Float32Array || data instanceof Float64Array ? data : NONE;
}

export const finite = (values: Numbers): number[] => Array.from(values).filter(Number.isFinite);

export function isView<V extends View['view']>(
  loaded: Loaded<View>,
  view: V,
): loaded is Loaded<Extract<View, { view: V }>> {
  return loaded.body.view === view;
}
