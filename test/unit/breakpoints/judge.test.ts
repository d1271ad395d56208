import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../extension/core/breakpoints/condition';
import { BreakpointJudge } from '../../../extension/core/breakpoints/judge';
import {
  breakpointsFor,
  layerBreakpoints,
  type JudgedBreakpoint,
} from '../../../extension/core/breakpoints/layerBreakpoints';
import type { NonFiniteFound } from '../../../extension/protocol/frames';
import { layerId } from '../../../extension/protocol/ids';
import type { TensorBreakpoint, TensorFilter } from '../../../extension/protocol/tensorBreakpoints';
import { LAYER, startRun, type LayerStep } from '../rules/judgedRun';

function breakpoint(filter: TensorFilter, text = ''): TensorBreakpoint {
  const { condition } = parseCondition(filter, text);
  if (!condition) throw new Error(text);
  return { filter, condition };
}

function judgeOf(...breakpoints: readonly JudgedBreakpoint[]): BreakpointJudge {
  const judge = new BreakpointJudge();
  judge.set(breakpoints);
  return judge;
}

const found = (step: number, change: Partial<NonFiniteFound> = {}): NonFiniteFound => ({
  kind: 'question',
  question: step,
  about: 'nonfinite',
  step,
  layer: layerId(1),
  name: 'blocks.0.norm2',
  tap: 'pre',
  nan: 2,
  positiveInfinity: 0,
  negativeInfinity: 0,
  elements: 64,
  samples: [0],
  features: [3],
  ...change,
});

/** From step 3 to 5, and from step 8 on, half of the features before the LayerNorm are constant. */
function dying(layer: LayerStep, at: number, step: number): void {
  const dead = (step >= 3 && step <= 5) || step >= 8;
  if (at === LAYER && dead) layer.pre.forEach((row) => row.fill(0, 0, 6));
}

function stopsOf(judge: BreakpointJudge, steps: number) {
  const { run, take } = startRun({ plant: dying });
  return Array.from({ length: steps }, (_, step) => {
    take(step);
    return judge.step(run, step);
  }).filter((stop) => stop !== undefined);
}

describe('values that are not finite', () => {
  it('stop a program once for what spreads from them', () => {
    const judge = judgeOf(breakpoint('nonfinite'));
    expect(judge.nonFinite(found(4))).toMatchObject({
      why: 'nonfinite',
      step: 4,
      found: { nan: 2 },
    });
    expect(judge.nonFinite(found(4, { tap: 'post' }))).toBeUndefined();
    expect(judge.nonFinite(found(5))).toBeUndefined();
    // A step without any lies between.
    expect(judge.nonFinite(found(7))).toMatchObject({ step: 7 });
  });

  it('do not stop it where the condition allows them', () => {
    const judge = judgeOf(breakpoint('nonfinite', 'allow: -inf'));
    expect(judge.nonFinite(found(1, { nan: 0, negativeInfinity: 9 }))).toBeUndefined();
    expect(judge.nonFinite(found(2, { negativeInfinity: 9 }))).toMatchObject({ found: { nan: 2 } });
  });

  it('stop it at the layer and tap of the condition, wherever they came from', () => {
    const judge = judgeOf(breakpoint('nonfinite', 'layers: head.*; taps: post'));
    expect(judge.nonFinite(found(1))).toBeUndefined();
    expect(judge.nonFinite(found(1, { name: 'head.norm' }))).toBeUndefined();
    expect(judge.nonFinite(found(1, { name: 'head.norm', tap: 'post' }))).toBeDefined();
  });

  it('do not stop it without such a breakpoint', () => {
    expect(judgeOf(breakpoint('drift')).nonFinite(found(1))).toBeUndefined();
  });
});

describe('a figure beyond the number of a condition', () => {
  it('stops a program each time that it gets there', () => {
    const stops = stopsOf(judgeOf(breakpoint('dead-feature', 'above: 0.4')), 12);
    expect(stops).toMatchObject([
      { why: 'above', layer: LAYER, value: 0.5, limit: 0.4, step: 3 },
      { why: 'above', layer: LAYER, step: 8 },
    ]);
  });

  it('waits for steps and hits', () => {
    const text = 'above: 0.4; after: step 4; hits: 3';
    const stops = stopsOf(judgeOf(breakpoint('dead-feature', text)), 12);
    // Step 5 is the first that counts, then 8 and 9.
    expect(stops).toMatchObject([{ step: 9 }]);
  });

  it('stops nothing where it stays on the good side, or no layer has the name', () => {
    expect(stopsOf(judgeOf(breakpoint('dead-feature', 'above: 0.6')), 12)).toEqual([]);
    const elsewhere = breakpoint('dead-feature', 'above: 0.4; layers: decoder.*');
    expect(stopsOf(judgeOf(elsewhere), 12)).toEqual([]);
  });
});

describe('a rule', () => {
  it('stops a program when it speaks for the first time, and names its alert', () => {
    const stops = stopsOf(judgeOf(breakpoint('rule', 'rules: dead-feature')), 80);
    expect(stops.length).toBeGreaterThan(0);
    expect(stops[0]).toMatchObject({
      why: 'rule',
      layer: LAYER,
      alert: { rule: 'dead-feature', layer: LAYER, features: 6 },
    });
    const spells = stops.map((stop) => stop.why === 'rule' && stop.alert.since);
    expect(new Set(spells).size).toBe(spells.length);
  });

  it('of another name does not', () => {
    expect(stopsOf(judgeOf(breakpoint('rule', 'rules: headroom')), 80)).toEqual([]);
  });
});

describe('a layer that the person chose', () => {
  it('stops a program at NaN of its own, whatever was seen before it, once', () => {
    const judge = judgeOf(...layerBreakpoints(['head.*']));
    expect(judge.nonFinite(found(4))).toBeUndefined();
    // A name is no pattern.
    expect(judge.nonFinite(found(4, { name: 'head.norm' }))).toBeUndefined();
    const name = 'head.*';
    expect(judge.nonFinite(found(4, { name, tap: 'gradPost' }))).toMatchObject({ name, step: 4 });
    expect(judge.nonFinite(found(4, { name, tap: 'gradPre' }))).toBeUndefined();
    expect(judge.nonFinite(found(5, { name }))).toBeUndefined();
    expect(judge.nonFinite(found(9, { name }))).toMatchObject({ step: 9 });
  });

  it('stops nothing for what a filter has stopped already, and the other way round', () => {
    const name = 'head.norm';
    const ofBoth = () => judgeOf(breakpoint('nonfinite'), ...layerBreakpoints([name]));
    const first = ofBoth();
    expect(first.nonFinite(found(2))).toBeDefined();
    expect(first.nonFinite(found(2, { name }))).toBeUndefined();
    const second = ofBoth();
    expect(second.nonFinite(found(2, { name }))).toMatchObject({ name });
    expect(second.nonFinite(found(3))).toBeUndefined();
  });

  it('stops for values that a filter allows elsewhere, and leaves the filter to its own', () => {
    const name = 'head.norm';
    const judge = judgeOf(breakpoint('nonfinite', 'allow: -inf'), ...layerBreakpoints([name]));
    const masked = { name, nan: 0, negativeInfinity: 9 };
    expect(judge.nonFinite(found(2, masked))).toMatchObject({ name });
    expect(judge.nonFinite(found(3, masked))).toBeUndefined();
    expect(judge.nonFinite(found(3))).toMatchObject({ found: { nan: 2 } });
  });

  it('that is chosen later stops for what goes on there, and others stay as they are', () => {
    const judge = judgeOf(...layerBreakpoints(['a']));
    expect(judge.nonFinite(found(2, { name: 'a' }))).toBeDefined();
    judge.set(layerBreakpoints(['a', 'b']));
    expect(judge.nonFinite(found(3, { name: 'a' }))).toBeUndefined();
    expect(judge.nonFinite(found(3, { name: 'b' }))).toMatchObject({ name: 'b' });
    judge.set([]);
    expect(judge.nonFinite(found(9, { name: 'b' }))).toBeUndefined();
  });

  it('stops when a rule speaks of it, and of no other', () => {
    const { run } = startRun({});
    const name = run.layer(layerId(LAYER))?.info.name ?? '';
    const stops = stopsOf(judgeOf(...layerBreakpoints([name])), 80);
    expect(stops).toContainEqual(
      expect.objectContaining({ why: 'rule', alert: expect.objectContaining({ layer: LAYER }) }),
    );
    expect(new Set(stops.map((stop) => stop.name))).toEqual(new Set([name]));
    expect(stopsOf(judgeOf(...layerBreakpoints([`${name}.`])), 80)).toEqual([]);
  });

  it('and the same rule as a filter stop once for one cause, also where the filter waits', () => {
    const { run } = startRun({});
    const name = run.layer(layerId(LAYER))?.info.name ?? '';
    const rule = breakpoint('rule', 'rules: dead-feature; hits: 2');
    const stops = stopsOf(judgeOf(rule, ...layerBreakpoints([name])), 80);
    const causes = stops.map((stop) =>
      stop.why === 'rule' ? `${stop.alert.rule} ${stop.alert.since}` : '',
    );
    expect(causes.length).toBeGreaterThan(0);
    expect(new Set(causes).size).toBe(causes.length);
  });

  it('has the values looked at only where the process has such a layer or has told none', () => {
    const set = [breakpoint('drift'), ...layerBreakpoints(['norm1', 'norm2'])];
    expect(breakpointsFor(set, new Set())).toEqual(set);
    const known = breakpointsFor(set, new Set(['norm2', 'norm3']));
    expect(known.map(({ filter, layer }) => [filter, layer])).toEqual([
      ['drift', undefined],
      ['nonfinite', 'norm2'],
      ['rule', 'norm2'],
    ]);
  });
});

it('a step without figures is not judged', () => {
  const { run } = startRun({});
  expect(judgeOf(breakpoint('drift', 'above: 0')).step(run, 0)).toBeUndefined();
});
