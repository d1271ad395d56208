/** Where a line of an earlier text is now, counted from 0. */
export interface MappedLine {
  readonly line: number;
  /** False where the line itself was changed, in a place that has as many lines as before. */
  readonly same: boolean;
}

/** Finds lines of an earlier text in a later one; undefined for those that are gone. */
export type LineMap = (line: number) => MappedLine | undefined;

interface Span {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Lines that each side has exactly once, as pairs that ascend on both sides. */
function anchors(old: readonly string[], now: readonly string[], span: Span): [number, number][] {
  const once = (lines: readonly string[], from: number, to: number) => {
    const at = new Map<string, number>();
    for (let i = from; i < to; i++) {
      const line = lines[i] ?? '';
      at.set(line, at.has(line) ? -1 : i);
    }
    return at;
  };
  const before = once(old, span.oldFrom, span.oldTo);
  const after = once(now, span.newFrom, span.newTo);
  const pairs: [number, number][] = [];
  for (const [line, at] of before) {
    const there = after.get(line) ?? -1;
    if (at >= 0 && there >= 0 && line.trim() !== '') pairs.push([at, there]);
  }
  return longestAscending(pairs.sort(([a], [b]) => a - b));
}

/** The longest choice of pairs, in order, whose second entries ascend (patience sorting). */
function longestAscending(pairs: readonly [number, number][]): [number, number][] {
  const piles: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, value], i) => {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[piles[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? (piles[low - 1] ?? -1) : -1;
    piles[low] = i;
  });
  const chosen: [number, number][] = [];
  for (let i = piles.at(-1) ?? -1; i >= 0; i = previous[i] ?? -1) {
    const pair = pairs[i];
    if (pair) chosen.push(pair);
  }
  return chosen.reverse();
}

/**
 * Follows lines from an earlier text to a later one, as a line diff does: equal lines at both ends
 * of a place stay, and within it lines that occur once on either side are held fast (patience
 * diff).
 */
export function mapLines(old: readonly string[], now: readonly string[]): LineMap {
  const target = new Int32Array(old.length).fill(-1);
  const changed = new Uint8Array(old.length);
  const pending: Span[] = [{ oldFrom: 0, oldTo: old.length, newFrom: 0, newTo: now.length }];
  for (let span = pending.pop(); span; span = pending.pop()) {
    let { oldFrom, oldTo, newFrom, newTo } = span;
    while (oldFrom < oldTo && newFrom < newTo && old[oldFrom] === now[newFrom]) {
      target[oldFrom++] = newFrom++;
    }
    while (oldFrom < oldTo && newFrom < newTo && old[oldTo - 1] === now[newTo - 1]) {
      target[--oldTo] = --newTo;
    }
    if (oldFrom === oldTo || newFrom === newTo) continue;
    const fixed = anchors(old, now, { oldFrom, oldTo, newFrom, newTo });
    if (fixed.length === 0) {
      if (oldTo - oldFrom !== newTo - newFrom) continue;
      for (let i = 0; oldFrom + i < oldTo; i++) {
        target[oldFrom + i] = newFrom + i;
        changed[oldFrom + i] = 1;
      }
      continue;
    }
    let [fromOld, fromNew] = [oldFrom, newFrom];
    for (const [at, there] of fixed) {
      target[at] = there;
      pending.push({ oldFrom: fromOld, oldTo: at, newFrom: fromNew, newTo: there });
      [fromOld, fromNew] = [at + 1, there + 1];
    }
    pending.push({ oldFrom: fromOld, oldTo, newFrom: fromNew, newTo });
  }
  return (line) => {
    const found = target[line] ?? -1;
    return found < 0 ? undefined : { line: found, same: changed[line] === 0 };
  };
}
