import type { LayerRow, ViewQuery } from '../../../protocol/views';
import type { LayerTrack } from '../layerTrack';
import type { Run } from '../run';
import type { Answer } from './answer';
import { bounded, orNull, thinnedRows } from './choices';

const MAX_POINTS = 4096;
/** Most values of all sparklines together. */
const MAX_VALUES = 4 * 1024 * 1024;

function rowOf(track: LayerTrack): LayerRow {
  const pre = track.tap('pre');
  const drift = pre.drift('previous');
  const post = track.tap('post').figures;
  return {
    info: track.info,
    preStd: orNull(pre.figures.newest('std')),
    postStd: orNull(post.newest('std')),
    drift: orNull(drift.newest('drift')),
    driftFloor: orNull(drift.newest('driftFloor')),
    nonFinite: track.nonFinite,
  };
}

/** The layer list. The drift in it is that of the layer's input. */
export function overviewView(run: Run, query: Extract<ViewQuery, { view: 'overview' }>): Answer {
  const tracks = run.layers();
  const most = Math.min(MAX_POINTS, Math.floor(MAX_VALUES / Math.max(1, tracks.length)));
  const thinned = thinnedRows(run.table.length, bounded(query.points, 1, most));
  // The first step stays: the timeline shows the whole run.
  const rows = thinned.length > 1 ? [0, ...thinned.slice(1)] : thinned;
  const steps = run.table.steps();
  const drift = new Float32Array(tracks.length * rows.length);
  tracks.forEach((track, at) => {
    drift.set(track.tap('pre').drift('previous').at('drift', rows), at * rows.length);
  });
  return {
    view: {
      view: 'overview',
      run: run.summary(),
      rows: tracks.map(rowOf),
      alerts: run.alerts(),
    },
    tensors: {
      steps: Float64Array.from(rows, (row) => steps[row] as number),
      loss: run.losses.at('loss', rows),
      drift,
    },
  };
}
