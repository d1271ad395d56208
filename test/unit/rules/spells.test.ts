import { describe, expect, it } from 'vitest';
import { AlertBook, MAX_ALERTS } from '../../../extension/core/rules/alertBook';
import { found } from '../../../extension/core/rules/finding';
import { SILENT_STEPS, Spells } from '../../../extension/core/rules/spells';
import type { RuleId, Severity } from '../../../extension/protocol/alerts';
import { layerId } from '../../../extension/protocol/ids';

/** `x` where a rule speaks in a step, `.` where it is silent. */
function spell(rule: RuleId, steps: string) {
  const book = new AlertBook();
  const spells = new Spells(book);
  [...steps].forEach((mark, step) => {
    const finding = found('warning', { value: step });
    spells.judge(rule, mark === 'x' ? { layer: layerId(1), ...finding } : undefined, step);
  });
  return book.all();
}

const quiet = '.'.repeat(SILENT_STEPS);

describe('a spell', () => {
  it('begins after as many steps in a row as its rule wants, and says since when', () => {
    expect(spell('drift', 'xx.xx.xx')).toEqual([]);
    expect(spell('drift', '.xxx')).toMatchObject([{ since: 1, last: 3, steps: 3, value: 3 }]);
    expect(spell('headroom', '..x')).toMatchObject([{ since: 2, last: 2, steps: 1 }]);
  });

  it('goes on over silence that is short', () => {
    const flickering = `xxx${'.'.repeat(SILENT_STEPS - 1)}x.x`;
    expect(spell('drift', flickering)).toMatchObject([
      { since: 0, last: flickering.length - 1, steps: 5, active: true },
    ]);
  });

  it('ends after longer silence, and may come again', () => {
    expect(spell('drift', `xxx${quiet}`)).toMatchObject([{ active: false, last: 2, steps: 3 }]);
    expect(spell('drift', `xxx${quiet}xx`)).toHaveLength(1);
    expect(spell('drift', `xxx${quiet}xxx`)).toMatchObject([
      { active: true, since: 3 + SILENT_STEPS },
      { active: false, since: 0 },
    ]);
  });

  it('stays at the layer that was named first', () => {
    const book = new AlertBook();
    const spells = new Spells(book);
    const at = (layer: number, layers: number) => ({
      layer: layerId(layer),
      ...found('error', { tap: 'pre', value: layer, layers }),
    });
    spells.judge('nonfinite', at(4, 1), 10);
    spells.judge('nonfinite', at(0, 9), 11);
    expect(book.all()).toMatchObject([{ layer: 4, value: 4, layers: 9, last: 11, steps: 2 }]);
  });
});

describe('the alerts of a run', () => {
  const open = (book: AlertBook, severity: Severity, active: boolean, step: number) =>
    book.open({
      rule: 'drift',
      layer: layerId(0),
      since: step,
      last: step + 5,
      active,
      steps: 1,
      ...found(severity),
    });

  it('are those that are active first, worst first, oldest first', () => {
    const book = new AlertBook();
    open(book, 'error', false, 1);
    open(book, 'info', true, 2);
    open(book, 'warning', true, 4);
    open(book, 'error', true, 9);
    open(book, 'warning', true, 3);
    open(book, 'error', false, 5);
    expect(book.all().map(({ since }) => since)).toEqual([9, 3, 4, 2, 5, 1]);
  });

  it('are copies that stay as they are', () => {
    const book = new AlertBook();
    open(book, 'error', true, 1);
    const [before] = book.all();
    expect(book.all()[0]).toEqual(before);
    expect(book.all()[0]).not.toBe(before);
  });

  it('are bounded: what ended longest ago goes first', () => {
    const book = new AlertBook(3);
    open(book, 'warning', false, 1);
    open(book, 'warning', true, 2);
    open(book, 'warning', false, 3);
    open(book, 'error', true, 4);
    expect(book.all().map(({ since }) => since)).toEqual([4, 2, 3]);
    for (let step = 5; step < 20; step++) open(book, 'error', true, step);
    expect(book.all().map(({ since }) => since)).toEqual([4, 5, 6]);
    expect(MAX_ALERTS).toBeLessThanOrEqual(500);
  });
});
