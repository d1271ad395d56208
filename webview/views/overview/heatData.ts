import type { HeatView } from '../../../extension/protocol/modelViews';
import type { HeatMapData } from '../../charts/heatMapDrawing';
import { columnEdges } from '../../charts/heatMapGeometry';
import { cellColours } from '../../charts/heatMapImage';
import type { HeatMark } from '../../charts/heatMapMarks';
import { heatScale, NOT_MEASURED, type HeatScale } from '../../charts/heatMapScale';
import { layOutRows, type ModelRow } from '../../charts/modelRows';
import { gutterWidth, rowLabels } from '../../charts/rowGutter';
import { numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { FIGURE_INFO, figureTitle, formatFigure } from '../model/figureInfo';

export interface HeatDataOptions {
  readonly view: Loaded<HeatView>;
  readonly rows: readonly ModelRow[];
  readonly log: boolean;
  readonly marks: readonly HeatMark[];
  /** Height for the rows, and most width for their names, in CSS pixels. */
  readonly room: number;
  readonly gutter: number;
  /** Width of a text as charts write it. */
  readonly measure: (text: string) => number;
}

interface Coloured {
  readonly log: boolean;
  readonly scale: HeatScale | undefined;
  readonly cells: Uint8Array;
}

/** A view is coloured once: marks, groups and widths change more often. */
const coloured = new WeakMap<Loaded<HeatView>, Coloured>();

function colouredCells(view: Loaded<HeatView>, log: boolean): Coloured {
  const known = coloured.get(view);
  if (known?.log === log) return known;
  const [values, floors] = [numbers(view, 'values'), numbers(view, 'floors')];
  const columns = numbers(view, 'steps').length;
  const scale = heatScale(values, log, FIGURE_INFO[view.body.figure].fromZero, floors);
  const cells = scale ? cellColours(values, floors, columns, scale) : new Uint8Array(values.length);
  const fresh = { log, scale, cells };
  coloured.set(view, fresh);
  return fresh;
}

/** What the heat map draws of a view. */
export function heatData(options: HeatDataOptions): HeatMapData {
  const { view, rows, log, marks, room, gutter, measure } = options;
  const { figure } = view.body;
  const [steps, floors] = [numbers(view, 'steps'), numbers(view, 'floors')];
  const { scale, cells } = colouredCells(view, log);
  const layout = layOutRows(rows, room);
  const say = (value: number | undefined) => formatFigure(figure, value);
  const some = (found: boolean, words: string) => (found ? words : '');
  return {
    rows,
    layout,
    gutter: gutterWidth(rowLabels(rows, layout), measure, gutter),
    steps,
    edges: columnEdges(steps, numbers(view, 'ends')),
    loss: numbers(view, 'loss'),
    cells,
    scale,
    marks,
    words: {
      loss: text('lossCaption'),
      step: text('axisStep'),
      figure: figureTitle(figure),
      low: say(scale?.low),
      high: say(scale?.high),
      beyond: text('heatBeyond', say(scale?.high)),
      neutral: some(!floors.every(Number.isNaN), text('heatNeutral')),
      notMeasured: some(cells.includes(NOT_MEASURED), text('heatNone')),
    },
  };
}
