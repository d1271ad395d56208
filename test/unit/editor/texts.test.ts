import { describe, expect, it } from 'vitest';
import { markdownText, oneLine } from '../../../extension/core/editor/markdown';
import {
  countText,
  figureText,
  meanText,
  percentText,
  shortFigure,
} from '../../../extension/core/editor/numbers';
import { trendOf } from '../../../extension/core/editor/sparkline';

describe("a process's words in Markdown", () => {
  it('become no link, picture, icon, heading or table', () => {
    const text = '[x](command:evil) ![y](http://z) $(bug) # h | `c` <b> www.a.b';
    const escaped = markdownText(text);
    expect(escaped.replace(/\\([^\w\s])/g, '$1')).toBe(text);
    expect(escaped).not.toMatch(/(?<!\\)[[\]()!$#|`<>.:_*]/);
  });

  it('stay in one line and end somewhere', () => {
    expect(oneLine('a\r\nb\u001b[31m')).toBe('a b[31m');
    expect(oneLine('x'.repeat(1000))).toHaveLength(300);
  });
});

describe('numbers of a line', () => {
  it('have three digits, or fewer where they are read at a glance', () => {
    expect([0.020449, 1.3149, -41.27, 4096.4, 0.00001234, 0, 1e7].map(figureText)).toEqual([
      '0.0204',
      '1.31',
      '−41.3',
      '4,096',
      '1.2e−5',
      '0',
      '1.0e7',
    ]);
    expect([0.020449, 1.3149, 0.00312, 123.4, -0.5].map(shortFigure)).toEqual([
      '0.02',
      '1.31',
      '0.003',
      '123',
      '−0.50',
    ]);
  });

  it('call a mean zero that is nothing beside its deviation', () => {
    expect([meanText(1e-9, 1), meanText(0.004, 1), meanText(0.004, 0.1), meanText(-2, 1)]).toEqual([
      '0',
      '0',
      '0.004',
      '−2.00',
    ]);
  });

  it('say what is unknown or endless', () => {
    expect([NaN, null, undefined].map(shortFigure)).toEqual(['–', '–', '–']);
    expect(figureText(-Infinity)).toBe('−∞');
    expect(countText(NaN)).toBe('–');
  });

  it('group thousands, and write shares in percent', () => {
    expect(countText(1234567)).toBe('1,234,567');
    expect([0.5, 0.1234, 0.00056].map(percentText)).toEqual(['50', '12', '0.056']);
  });
});

describe('a sparkline', () => {
  it('goes from the smallest to the largest value', () => {
    expect(trendOf([0, 1, 2, 3, 4, 5, 6, 7])?.drawing).toBe('▁▂▃▄▅▆▇█');
    expect(trendOf([2, 0, 1])).toEqual({
      drawing: '█▁▅',
      first: 2,
      last: 1,
      smallest: 0,
      largest: 2,
    });
  });

  it('shows gaps, and nothing of a single value', () => {
    expect(trendOf([NaN, 1, NaN, 1])?.drawing).toBe('·▁·▁');
    expect(trendOf([NaN, 1])).toBeUndefined();
  });
});
