import type { FeatureAxis } from './featureAxis';

/** Places that PageUp and PageDown move by. */
const PAGE = 10;

/** Where a key moves to among so many places; undefined for a key that moves nothing. */
export function movedPlace(key: string, place: number, count: number): number | undefined {
  const to = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    PageUp: place - PAGE,
    PageDown: place + PAGE,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, to));
}

/** The feature that a key goes to from the chosen one, as they stand on the axis. */
export function featureByKey(
  { key }: KeyboardEvent,
  { order, stride }: FeatureAxis,
  chosen: number | null,
): number | undefined {
  const from = chosen === null ? -1 : order.indexOf(Math.floor(chosen / stride));
  const place = movedPlace(key, from, order.length);
  const position = place === undefined ? undefined : order[place];
  return position === undefined ? undefined : position * stride;
}
