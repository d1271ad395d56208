import { describe, expect, it } from 'vitest';
import { layerId, runId } from '../../../extension/protocol/ids';
import { SharedFocus } from '../../../extension/views/panel/sharedFocus';

const [a, b] = [runId('a'), runId('b')];
const [one, two] = [layerId(1), layerId(2)];

function twoPanels() {
  const told: unknown[] = [];
  const focus = new SharedFocus((run, layers) => told.push([run, layers]));
  return { told, first: focus.member(), second: focus.member() };
}

describe('the focus of several panels', () => {
  it('is all that any of them shows', () => {
    const { told, first, second } = twoPanels();
    first(a, [one]);
    second(a, [two]);
    expect(told.at(-1)).toEqual([a, [one, two]]);
  });

  it('keeps what the others show when one of them is hidden', () => {
    const { told, first, second } = twoPanels();
    first(a, [one]);
    second(a, [one]);
    first(a, []);
    expect(told.at(-1)).toEqual([a, [one]]);
    second(a, []);
    expect(told.at(-1)).toEqual([a, []]);
  });

  it('is told to each run apart', () => {
    const { told, first, second } = twoPanels();
    first(a, [one]);
    second(b, [two]);
    expect(told).toEqual([
      [a, [one]],
      [b, [two]],
    ]);
  });
});
