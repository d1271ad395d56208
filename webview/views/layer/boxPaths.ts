import type { Box, Edge } from './tensorGeometry';

/** Where the front face lies, and how far the back face is moved from it. */
export interface BoxSize {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly shiftX: number;
  readonly shiftY: number;
}

/** Cells drawn along each edge at most: enough to see that it is divided. */
const MOST_CELLS = { width: 8, height: 5, depth: 4 } as const;
/** Cells of a group of channels. */
const GROUP_CELLS = 3;

interface Cells {
  readonly count: number;
  /** The covered ones: from the first to before the last. */
  readonly from: number;
  readonly to: number;
}

function cellsOf(edge: Edge | null, most: number, one: number): Cells {
  if (!edge) return { count: 1, from: 0, to: 1 };
  const size = edge.sizes.reduce((product, each) => product * each, 1);
  const count = Math.max(1, Math.min(most, size));
  if (edge.covered === 'all') return { count, from: 0, to: count };
  const from = Math.min(one, count - 1);
  return { count, from, to: Math.min(count, from + (edge.covered === 'group' ? GROUP_CELLS : 1)) };
}

type Point = readonly [x: number, y: number];

const line = (...points: readonly Point[]) =>
  `M${points.map((point) => point.join(' ')).join('L')}`;
const polygon = (...points: readonly Point[]) => `${line(...points)}Z`;
const within = (count: number) => Array.from({ length: Math.max(0, count - 1) }, (_, i) => i + 1);

/**
 * SVG paths of a box seen from the front, above and the right: the faces' cells that share one mean
 * and variance, the lines between cells, and the outline.
 */
export function boxPaths(box: Box, size: BoxSize) {
  const across = cellsOf(box.width, MOST_CELLS.width, 3);
  const down = cellsOf(box.height, MOST_CELLS.height, 1);
  const into = cellsOf(box.depth, MOST_CELLS.depth, 0);
  const solid = box.depth !== null;
  const front = size.top + (solid ? size.shiftY : 0);
  /** A corner of the grid; the depth counts from the front. */
  const at = (x: number, y: number, z: number): Point => [
    size.left + (x / across.count) * size.width + (z / into.count) * size.shiftX,
    front + (y / down.count) * size.height - (z / into.count) * size.shiftY,
  ];
  const [x0, x1, y0, y1, z0, z1] = [across.from, across.to, down.from, down.to, into.from, into.to];
  let covered = '';
  if (z0 === 0) covered += polygon(at(x0, y0, 0), at(x1, y0, 0), at(x1, y1, 0), at(x0, y1, 0));
  if (solid && y0 === 0) {
    covered += polygon(at(x0, 0, z0), at(x1, 0, z0), at(x1, 0, z1), at(x0, 0, z1));
  }
  if (solid && x1 === across.count) {
    covered += polygon(at(x1, y0, z0), at(x1, y0, z1), at(x1, y1, z1), at(x1, y1, z0));
  }
  const [w, h, d] = [across.count, down.count, solid ? into.count : 0];
  const grid = [
    ...within(w).map((x) => line(at(x, h, 0), at(x, 0, 0), at(x, 0, d))),
    ...within(h).map((y) => line(at(0, y, 0), at(w, y, 0), at(w, y, d))),
    ...(solid ? within(d).map((z) => line(at(0, 0, z), at(w, 0, z), at(w, h, z))) : []),
  ].join('');
  const face = polygon(at(0, 0, 0), at(w, 0, 0), at(w, h, 0), at(0, h, 0));
  const back = solid
    ? line(at(0, 0, 0), at(0, 0, d), at(w, 0, d), at(w, h, d), at(w, h, 0)) +
      line(at(w, 0, 0), at(w, 0, d))
    : '';
  return { covered, grid, outline: face + back };
}
