import { describe, expect, it } from 'vitest';
import { AnalysisPace } from '../../../extension/core/runStore/analysisPace';
import { StepRate } from '../../../extension/core/runStore/stepRate';

/** How many of the steps are analysed, and how many layers are compared in full, in a while. */
function analysed(pace: AnalysisPace, layers: number, stepMs: number, from: number, to: number) {
  let [steps, compared] = [0, 0];
  for (let time = from; time < to; time += stepMs) {
    const isDue = pace.turn(layers, time, false);
    if (!isDue) continue;
    steps++;
    for (let place = 0; place < layers; place++) if (isDue(place)) compared++;
  }
  return { steps, compared };
}

describe('the pace of analysis', () => {
  it('analyses every step of a small model in full', () => {
    const all = analysed(new AnalysisPace(), 8, 100, 0, 600_000);
    expect(all).toEqual({ steps: 6_000, compared: 48_000 });
  });

  it('analyses the beginning of a large run in full, and then as much as it may', () => {
    const pace = new AnalysisPace();
    expect(analysed(pace, 200, 16, 0, 160)).toEqual({ steps: 10, compared: 2_000 });
    analysed(pace, 200, 16, 160, 60_000);
    const minute = analysed(pace, 200, 16, 60_000, 120_000);
    expect(minute.steps).toBeGreaterThan(230);
    expect(minute.steps).toBeLessThan(250);
    expect(minute.compared).toBeGreaterThan(5_750);
    expect(minute.compared).toBeLessThan(6_250);
  });

  it('lets all layers take turns', () => {
    const pace = new AnalysisPace();
    const last = Array.from({ length: 300 }, () => 0);
    for (let time = 0; time < 120_000; time += 16) {
      const isDue = pace.turn(300, time, false);
      last.forEach((_, place) => {
        if (isDue?.(place)) last[place] = time;
      });
    }
    expect(Math.min(...last)).toBeGreaterThan(115_000);
  });

  it('never leaves out a step that is notable', () => {
    const pace = new AnalysisPace();
    analysed(pace, 4_000, 1, 0, 1_000);
    expect(pace.turn(4_000, 1_000, false)).toBeUndefined();
    expect(pace.turn(4_000, 1_001, true)).toBeDefined();
  });

  it('goes by the time of the steps alone', () => {
    const [a, b] = [new AnalysisPace(), new AnalysisPace()];
    expect(analysed(a, 500, 10, 0, 20_000)).toEqual(analysed(b, 500, 10, 0, 20_000));
  });
});

describe('the rate of steps', () => {
  it('is not known before two steps', () => {
    const rate = new StepRate();
    rate.add(0, 0);
    expect(rate.perSecond).toBeNull();
  });

  it('counts the steps between captured ones, and leaves a pause out', () => {
    const rate = new StepRate();
    let time = 0;
    for (let step = 0; step < 40; step += 4) {
      time += step === 20 ? 60_000 : 100;
      rate.add(step, time);
    }
    expect(rate.perSecond).toBe(40);
  });
});
