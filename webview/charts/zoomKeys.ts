import type { StepRange } from '../../extension/protocol/stepChoice';
import { panned, zoomed } from './stepZoom';

const ZOOM = 0.5;
const PAN = 0.25;

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
