import type { LayerRow, ViewQuery } from '../../../protocol/views';
import type { LayerTrack } from '../layerTrack';
import type { Run } from '../run';
import type { Answer } from './viewAnswer';
import { bounded, orNull, thinnedRows } from './choices';

const MAX_POINTS = 4096;
/** Most values of all sparklines together. */
const MAX_VALUES = 4 * 1024 * 1024;

function rowOf(run: Run, track: LayerTrack): LayerRow {
  const pre = track.tap('pre');
  const drift = pre.drift(run.shownReference);
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

/** At most `most` rows over the whole run: the timeline shows it from its first step on. */
function rowsOver(length: number, most: number): readonly number[] {
  const thinned = thinnedRows(length, most);
  return thinned.length > 1 ? [0, ...thinned.slice(1)] : thinned;
}

/** The layer list. The drift in it is that of the layer's input. */
export function overviewView(run: Run, query: Extract<ViewQuery, { view: 'overview' }>): Answer {
  const tracks = run.layers();
  const most = bounded(query.points, 1, MAX_POINTS);
  const share = Math.max(1, Math.floor(MAX_VALUES / Math.max(1, tracks.length)));
  const sparkPoints = bounded(query.sparkPoints ?? most, 1, Math.min(most, share));
  const sparkRows = rowsOver(run.table.length, sparkPoints);
  const drift = new Float32Array(tracks.length * sparkRows.length);
  tracks.forEach((track, at) => {
    const own = track.tap('pre').drift(run.shownReference).at('drift', sparkRows);
    drift.set(own, at * sparkRows.length);
  });
  return {
    view: {
      view: 'overview',
      run: run.summary(),
      rows: tracks.map((track) => rowOf(run, track)),
      alerts: run.alerts(),
    },
    tensors: {
      ...run.lossCurve.at(rowsOver(run.lossCurve.length, most)),
      drift,
    },
  };
}
