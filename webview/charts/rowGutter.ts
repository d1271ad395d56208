import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import type { Context2d, Surface } from './canvas';
import type { ModelRow, RowLayout } from './modelRows';

/** Least distance of two labels, in CSS pixels. */
export const LABEL_HEIGHT = 13;
/** Room for the mark of a group that opens and closes. */
export const MARK_ROOM = 14;
const GAP = 8;
const LOWEST = 2;
const NARROWEST = 72;
const WIDEST = 260;

type Measure = (text: string) => number;

/** What stands at a row: the module's name where its group begins, and the layer's own. */
export interface RowLabel {
  readonly row: number;
  readonly group: string;
  readonly leaf: string;
}

/** Middle of a row's label, in CSS pixels from the top: the first is not cut. */
export function labelAt({ tops, rowHeight }: RowLayout, row: number): number {
  return Math.max(LABEL_HEIGHT / 2, (tops[row] ?? 0) + Math.max(rowHeight, LOWEST) / 2);
}

/**
 * Labels that have room: each row's own where rows are tall enough, else the names of groups, as
 * many as do not run into one another.
 */
export function rowLabels(rows: readonly ModelRow[], layout: RowLayout): readonly RowLabel[] {
  const low = layout.rowHeight < LABEL_HEIGHT - 2;
  const labels: RowLabel[] = [];
  let next = -Infinity;
  rows.forEach(({ group, leaf, begins }, row) => {
    const middle = labelAt(layout, row);
    if (low && (!begins || middle < next)) return;
    next = middle + LABEL_HEIGHT;
    const named = begins && group.path !== '';
    labels.push({ row, group: named ? group.path : '', leaf: named && low ? '' : leaf });
  });
  return labels;
}

/** Width of the labels, at most so much. */
export function gutterWidth(labels: readonly RowLabel[], measure: Measure, most: number): number {
  const widest = labels.reduce((width, { group, leaf }) => {
    const both = (group === '' ? 0 : measure(group)) + (group && leaf ? GAP : 0) + measure(leaf);
    return Math.max(width, both);
  }, 0);
  return Math.ceil(Math.min(Math.max(widest + MARK_ROOM + GAP, NARROWEST), WIDEST, most));
}

/** A text that fits; of a path the end says more than the beginning. */
export function fitted(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  let [short, long] = [0, text.length];
  while (short < long) {
    const middle = Math.ceil((short + long) / 2);
    if (measure(`…${text.slice(-middle)}`) <= width) short = middle;
    else long = middle - 1;
  }
  return short === 0 ? '' : `…${text.slice(-short)}`;
}

/** A triangle that points down at an open group, to the right at a closed one. */
function drawMark(context: Context2d, x: number, y: number, open: boolean): void {
  context.beginPath();
  if (open) {
    context.moveTo(x, y - 2);
    context.lineTo(x + 8, y - 2);
    context.lineTo(x + 4, y + 3);
  } else {
    context.moveTo(x + 2, y - 4);
    context.lineTo(x + 7, y);
    context.lineTo(x + 2, y + 4);
  }
  context.closePath();
  context.fill();
}

/** The names of groups at the left, those of layers next to the plot. */
export function drawGutter(
  { context }: Surface,
  palette: Palette,
  rows: readonly ModelRow[],
  layout: RowLayout,
  width: number,
): void {
  const measure = (text: string) => context.measureText(text).width;
  context.textBaseline = 'middle';
  for (const { row, group, leaf } of rowLabels(rows, layout)) {
    const middle = labelAt(layout, row);
    let room = width - GAP;
    if (leaf !== '') {
      const shown = fitted(leaf, room - (group === '' ? 0 : MARK_ROOM), measure);
      context.fillStyle = toCss(palette.foreground);
      context.textAlign = 'right';
      context.fillText(shown, width - GAP, middle);
      room -= measure(shown) + GAP;
    }
    if (group !== '') {
      const single = rows[row]?.layers.length === 1;
      context.fillStyle = toCss(palette.dim);
      drawMark(context, 1, middle, single);
      context.textAlign = 'left';
      context.fillText(fitted(group, room - MARK_ROOM, measure), MARK_ROOM, middle);
    }
  }
}
