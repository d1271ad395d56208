import type { StepRange } from '../../extension/protocol/stepChoice';
import type { HeatPlace } from './heatMapPointer';
import { panned, zoomed } from './stepZoom';

const PAGE = 10;
const ZOOM = 0.5;
const PAN = 0.25;

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

/** The steps that a key shows; undefined for a key that changes nothing about them. */
export function zoomedBy(
  event: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  range: StepRange,
  whole: StepRange,
  around: number,
): StepRange | null | undefined {
  const by = PAN * (range[1] - range[0]);
  switch (event.key) {
    case '+':
    case '=':
      return zoomed(range, ZOOM, around, whole);
    case '-':
    case '−':
      return zoomed(range, 1 / ZOOM, around, whole);
    case '0':
      return null;
    case 'ArrowLeft':
      return event.shiftKey ? panned(range, -by, whole) : undefined;
    case 'ArrowRight':
      return event.shiftKey ? panned(range, by, whole) : undefined;
    default:
      return undefined;
  }
}
