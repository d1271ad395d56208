import { MODEL_FIGURES, type ModelFigure } from '../../../protocol/modelFigures';
import type { DepthQuery, DepthView } from '../../../protocol/modelViews';
import type { TensorData } from '../../../protocol/safetensors';
import type { StepChoice } from '../../../protocol/stepChoice';
import type { LayerTrack } from '../layerTrack';
import { modelFigure, modelFloor } from '../modelFigures';
import type { Run } from '../run';
import type { Answer } from './viewAnswer';
import { nearestRow, thinnedRows } from './choices';

/** Steps of the run that extents are taken over. */
const EXTENT_STEPS = 48;
/** Extents are taken anew when the run is longer by this share: what is drawn adds its own. */
const GROWTH = 1.05;
/** How far back the newest step is looked for in which a layer ran. */
const LOOK_BACK = 200;

type Extents = DepthView['extents'];

const kept = new WeakMap<Run, { readonly rows: number; readonly extents: Extents }>();

function extentOf(
  tracks: readonly LayerTrack[],
  figure: ModelFigure,
  rows: readonly number[],
): readonly [number, number] | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (const track of tracks) {
    const at = modelFigure(track, figure);
    for (const row of rows) {
      const value = at(row);
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : undefined;
}

function extentsOf(run: Run): Extents {
  const { length } = run.table;
  const known = kept.get(run);
  if (known && length >= known.rows && length < known.rows * GROWTH) return known.extents;
  const rows = thinnedRows(length, EXTENT_STEPS);
  const extents: Extents = Object.fromEntries(
    MODEL_FIGURES.flatMap((figure) => {
      const extent = extentOf(run.layers(), figure, rows);
      return extent ? [[figure, extent]] : [];
    }),
  );
  kept.set(run, { rows: length, extents });
  return extents;
}

/** The newest row in which a layer ran: a step that only evaluates has no layer's figures. */
function newestRow(tracks: readonly LayerTrack[], length: number): number {
  const outputs = tracks.map((track) => modelFigure(track, 'postStd'));
  for (let row = length - 1; row >= Math.max(0, length - LOOK_BACK); row--) {
    if (outputs.some((output) => !Number.isNaN(output(row)))) return row;
  }
  return length - 1;
}

function rowOf(run: Run, step: StepChoice): number {
  if (step === 'live') return newestRow(run.layers(), run.table.length);
  return nearestRow(run.table.steps(), step);
}

/** Every model figure over layers at one step. */
export function depthView(run: Run, query: DepthQuery): Answer {
  const tracks = run.layers();
  const row = rowOf(run, query.step);
  const overLayers = (of: typeof modelFigure, figure: ModelFigure) =>
    Float32Array.from(tracks, (track) => (row < 0 ? Number.NaN : of(track, figure)(row)));
  const tensors: Record<string, TensorData> = {
    preDriftFloor: overLayers(modelFloor, 'preDrift'),
    postDriftFloor: overLayers(modelFloor, 'postDrift'),
  };
  for (const figure of MODEL_FIGURES) tensors[figure] = overLayers(modelFigure, figure);
  return {
    view: {
      view: 'depth',
      run: run.summary(),
      step: run.table.steps()[row] ?? null,
      layers: tracks.map(({ info }) => info.id),
      extents: extentsOf(run),
    },
    tensors,
  };
}
