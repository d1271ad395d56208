import type { HeatPlace } from './heatMapPointer';

const PAGE = 10;

/** The place that a key leads to; undefined for a key that leads nowhere. */
export function movedTo(
  key: string,
  { row, column }: HeatPlace,
  rows: number,
  columns: number,
): HeatPlace | undefined {
  const inside = (at: number, count: number) => Math.max(0, Math.min(count - 1, at));
  const to = (down: number, right: number): HeatPlace => ({
    row: inside(row + down, rows),
    column: inside(column + right, columns),
  });
  switch (key) {
    case 'ArrowLeft':
      return to(0, -1);
    case 'ArrowRight':
      return to(0, 1);
    case 'ArrowUp':
      return to(-1, 0);
    case 'ArrowDown':
      return to(1, 0);
    case 'PageUp':
      return to(-PAGE, 0);
    case 'PageDown':
      return to(PAGE, 0);
    case 'Home':
      return to(0, -columns);
    case 'End':
      return to(0, columns);
    default:
      return undefined;
  }
}
