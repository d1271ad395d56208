import { encodeBlob, headerLength } from '../../../protocol/safetensors';
import type { ViewQuery } from '../../../protocol/views';
import { messageOf } from '../../log';
import type { Run } from '../run';
import type { RunStore } from '../runStore';
import { depthView } from './depthView';
import { featuresView } from './featuresView';
import { heatView } from './heatView';
import { layerView } from './layerView';
import { overviewView } from './overviewView';
import { sliceView } from './sliceView';
import type { Answer } from './viewAnswer';

const missing = (reason: string): Answer => ({ view: { view: 'missing', reason } });

type LayerQuery = Extract<ViewQuery, { view: 'layer' | 'features' | 'slice' }>;

function ofLayer(run: Run, query: LayerQuery): Answer {
  const track = run.layer(query.layer);
  if (!track) return missing('This run has no such layer.');
  switch (query.view) {
    case 'layer':
      return layerView(run, track, query);
    case 'features':
      return featuresView(run, track, query);
    case 'slice':
      return sliceView(run, track, query);
  }
}

function build(run: Run, query: Exclude<ViewQuery, { view: 'runs' }>): Answer {
  switch (query.view) {
    case 'overview':
      return overviewView(run, query);
    case 'heat':
      return heatView(run, query);
    case 'depth':
      return depthView(run, query);
    default:
      return ofLayer(run, query);
  }
}

function encode({ view, tensors }: Answer): Uint8Array {
  return encodeBlob({ kind: 'view', ...view }, tensors);
}

function blobOf(store: RunStore, query: ViewQuery): Uint8Array {
  if (query.view === 'runs') return encode({ view: { view: 'runs', runs: store.runs() } });
  const run = store.get(query.run);
  return encode(run ? build(run, query) : missing('This run is not kept any more.'));
}

/** Answers a query; what can not be answered is a `missing` view with its reason. */
export function answer(store: RunStore, query: ViewQuery): Uint8Array {
  try {
    const blob = blobOf(store, query);
    headerLength(blob);
    return blob;
  } catch (error) {
    return encode(missing(`This view could not be made: ${messageOf(error).replace(/\.$/, '')}.`));
  }
}
