import { describe, expect, it } from 'vitest';
import { mapLines } from '../../../extension/core/editor/lineMap';

const lines = (text: string) => text.trim().split('\n');

const BEFORE = lines(`
import torch
class Block:
    def __init__(self):
        self.norm1 = LayerNorm(8)
        self.norm2 = LayerNorm(8)
class Other:
    def __init__(self):
        self.norm1 = LayerNorm(8)
    def forward(self, x):
        return self.norm1(x)
`);

/** Where every line of BEFORE is in `now`; −1 for those that are gone. */
const placesIn = (now: readonly string[]) => {
  const map = mapLines(BEFORE, now);
  return BEFORE.map((_, i) => map(i)?.line ?? -1);
};

describe('following lines through edits', () => {
  it('leaves an unchanged text as it is', () => {
    expect(placesIn(BEFORE)).toEqual(BEFORE.map((_, i) => i));
    expect(mapLines(BEFORE, BEFORE)(3)).toEqual({ line: 3, same: true });
  });

  it('moves lines down behind an insertion', () => {
    const now = BEFORE.toSpliced(1, 0, 'import math', '');
    expect(placesIn(now)).toEqual([0, ...BEFORE.slice(1).map((_, i) => i + 3)]);
  });

  it('forgets a deleted line and none of its neighbours', () => {
    expect(placesIn(BEFORE.toSpliced(4, 1))).toEqual([0, 1, 2, 3, -1, 4, 5, 6, 7, 8]);
  });

  it('tells equal lines apart by what stands around them', () => {
    const now = ['"""A model."""', ...BEFORE.toSpliced(6, 0, '    """Another."""')];
    expect(placesIn(now)).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
  });

  it('follows several edits at once', () => {
    const now = BEFORE.toSpliced(8, 1, '    def forward(self, y):', '        x = y * 2')
      .toSpliced(4, 1)
      .toSpliced(0, 0, '# model');
    expect(placesIn(now)).toEqual([1, 2, 3, 4, -1, 5, 6, 7, -1, 10]);
  });

  it('marks a line that was changed in its place', () => {
    const now = BEFORE.with(3, '        self.norm1 = LayerNorm(8, eps=1e-3)');
    expect(mapLines(BEFORE, now)(3)).toEqual({ line: 3, same: false });
    expect(mapLines(BEFORE, now)(4)).toEqual({ line: 4, same: true });
  });

  it('finds nothing in an empty text', () => {
    expect(placesIn([])).toEqual(BEFORE.map(() => -1));
  });

  it('maps every kept line of random edits to an equal line, in order', () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return Math.floor((state / 2147483648) * below);
    };
    for (let round = 0; round < 200; round++) {
      const old = Array.from({ length: 40 }, () => `line ${random(15)}`);
      let now = [...old];
      for (let edit = 0; edit < 6; edit++) {
        const inserted = random(2) === 0 ? [] : [`line ${random(15)}`];
        now = now.toSpliced(random(now.length + 1), random(3), ...inserted);
      }
      const map = mapLines(old, now);
      const found = old.flatMap((line, i) => {
        const at = map(i);
        if (at?.same) expect(now[at.line]).toBe(line);
        return at ? [at.line] : [];
      });
      expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
    }
  });
});
