import { encodeBlob, headerLength, type Tensors } from '../../../protocol/safetensors';
import type { View, ViewQuery } from '../../../protocol/views';
import { messageOf } from '../../log';
import type { RunStore } from '../runStore';
import { layerView } from './layerView';
import { overviewView } from './overviewView';

export interface Answer {
  readonly view: View;
  readonly tensors?: Tensors;
}

const missing = (reason: string): Answer => ({ view: { view: 'missing', reason } });

function build(store: RunStore, query: ViewQuery): Answer {
  if (query.view === 'runs') return { view: { view: 'runs', runs: store.runs() } };
  const run = store.get(query.run);
  if (!run) return missing('This run is not kept any more.');
  if (query.view === 'overview') return overviewView(run, query);
  const track = run.layer(query.layer);
  if (!track) return missing('This run has no such layer.');
  return layerView(run, track, query);
}

function encode({ view, tensors }: Answer): Uint8Array {
  return encodeBlob({ kind: 'view', ...view }, tensors);
}

/** Answers a query; what can not be answered is a `missing` view with its reason. */
export function answer(store: RunStore, query: ViewQuery): Uint8Array {
  try {
    const blob = encode(build(store, query));
    headerLength(blob);
    return blob;
  } catch (error) {
    return encode(missing(`This view could not be made: ${messageOf(error).replace(/\.$/, '')}.`));
  }
}
