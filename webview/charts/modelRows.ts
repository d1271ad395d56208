import { bisectRight } from 'd3-array';

/** Neighbouring layers of one module. */
export interface LayerGroup {
  /** Unlike that of any other group of the model. */
  readonly key: string;
  /** Module path; empty for a layer that stands alone. */
  readonly path: string;
  /** Indices in model order. */
  readonly layers: readonly number[];
}

/** A row of a chart over layers: one layer, or a collapsed group of them. */
export interface ModelRow {
  readonly group: LayerGroup;
  /** Indices in model order; several for a collapsed group. */
  readonly layers: readonly number[];
  /** The name within the group; empty for a collapsed one. */
  readonly leaf: string;
  /** Whether it is the first row of its group. */
  readonly begins: boolean;
}

/**
 * The module that a layer is grouped by: the block it belongs to, which ends in a number
 * (`encoder.layers.3` of `encoder.layers.3.attn.norm`), else the one that holds it.
 */
export function groupPath(name: string): string {
  const parts = name.split('.').slice(0, -1);
  const block = parts.findLastIndex((part) => /^\d+$/.test(part));
  return (block < 0 ? parts : parts.slice(0, block + 1)).join('.');
}

/** Groups in model order. A module whose layers do not run one after another has several. */
export function groupLayers(names: readonly string[]): readonly LayerGroup[] {
  const runs: { path: string; layers: number[] }[] = [];
  names.forEach((name, i) => {
    const path = groupPath(name);
    const last = runs.at(-1);
    if (last && last.path === path && path !== '') last.layers.push(i);
    else runs.push({ path, layers: [i] });
  });
  return runs.map(({ path, layers }) => ({
    key: `${path}#${layers[0]}`,
    path: layers.length > 1 ? path : '',
    layers,
  }));
}

/** What to draw: a row for every layer, or one for a whole group that is collapsed. */
export function modelRows(
  names: readonly string[],
  groups: readonly LayerGroup[],
  isCollapsed: (group: LayerGroup) => boolean,
): readonly ModelRow[] {
  return groups.flatMap((group): ModelRow[] => {
    if (group.layers.length > 1 && isCollapsed(group)) {
      return [{ group, layers: group.layers, leaf: '', begins: true }];
    }
    return group.layers.map((layer, i) => {
      const name = names[layer] ?? '';
      const leaf = group.path === '' ? name : name.slice(group.path.length + 1);
      return { group, layers: [layer], leaf, begins: i === 0 };
    });
  });
}

/** Where rows lie, from the top, in CSS pixels. */
export interface RowLayout {
  /** Top of each row, and the bottom of the last as one more. */
  readonly tops: readonly number[];
  readonly rowHeight: number;
  readonly height: number;
}

const TALLEST_ROW = 30;
const LOWEST_ROW = 2;
/** From this height on rows are set apart, and groups more so. */
export const APART_FROM = 8;
/** Below each row that is set apart, in CSS pixels. */
export const ROW_GAP = 1;
const GROUP_GAP = 5;
/** A chart is not taller than this: beyond it several rows share a line of pixels. */
const TALLEST = 2_400;

/** Rows as tall as the room allows. */
export function layOutRows(rows: readonly ModelRow[], room: number): RowLayout {
  const count = Math.max(1, rows.length);
  const even = Math.min(TALLEST_ROW, Math.max(LOWEST_ROW, Math.floor(room / count)));
  const rowHeight = Math.min(even, TALLEST / count);
  const gap = rowHeight >= APART_FROM ? GROUP_GAP : 0;
  const tops: number[] = [];
  let top = 0;
  rows.forEach(({ begins, group }, i) => {
    const apart = group.path !== '' || rows[i - 1]?.group.path !== '';
    if (begins && apart && i > 0) top += gap;
    tops.push(top);
    top += rowHeight;
  });
  tops.push(top);
  return { tops, rowHeight, height: top };
}

/** The row at a height; −1 above the first and below the last. A gap belongs to the row above. */
export function rowAt({ tops, height }: RowLayout, y: number): number {
  if (y < 0 || y >= height) return -1;
  return bisectRight(tops, y) - 1;
}

/** Where a row is drawn. */
export function rowSpan({ tops, rowHeight }: RowLayout, row: number): readonly [number, number] {
  const top = tops[row] ?? 0;
  return [top, top + rowHeight];
}
