import { afterEach, describe, expect, it, vi } from 'vitest';
import { DeepRequest } from '../../../extension/core/deepRequest';
import type { ReceivedDeep } from '../../../extension/core/frames/receivedFrame';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { layerId, type LayerId } from '../../../extension/protocol/ids';
import { startRun } from '../rules/judgedRun';

const deep = (layer: LayerId, step: number): ReceivedDeep => ({
  kind: 'deep',
  layer,
  step,
  features: 2,
  taps: [],
  tensors: {},
  bytes: 100,
});

const IDS = Array.from({ length: 7 }, (_, i) => layerId(i));

/** A process that captures what it is told to, at most two layers in a step. */
function liveProcess(able: (layer: LayerId) => boolean = () => true) {
  vi.useFakeTimers();
  const store = new RunStore();
  const { run, take } = startRun({ store });
  let focus: readonly LayerId[] = [];
  let most = 0;
  let step = 0;
  const send = (layer: LayerId) => store.accept(run, deep(layer, step));
  return {
    store,
    run,
    send,
    get focus() {
      return focus;
    },
    get mostAtOnce() {
      return most;
    },
    tell: (_: unknown, layers: readonly LayerId[]) => {
      focus = layers;
      most = Math.max(most, layers.length);
    },
    async train(steps: number) {
      for (let i = 0; i < steps; i++, step++) {
        take(step);
        focus.filter(able).slice(0, 2).forEach(send);
        await vi.advanceTimersByTimeAsync(200);
      }
    },
  };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a request for deep captures', () => {
  it('has each layer captured once, a few at a time, and leaves the process as it was', async () => {
    const process = liveProcess();
    await process.train(2);
    const counts: number[] = [];
    const request = new DeepRequest({
      ...process,
      run: process.run,
      layers: IDS,
      onProgress: (captured) => counts.push(captured),
    });
    await process.train(6);
    const { captured, missing } = await request.answer;
    expect([...captured.keys()].sort()).toEqual(IDS);
    // Two in each step from the third on, of which no later one belongs to the request.
    expect([...captured.values()]).toEqual([2, 2, 3, 3, 4, 4, 5]);
    expect(missing).toEqual([]);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(process.mostAtOnce).toBe(4);
    expect(process.focus).toEqual([]);
  });

  it('does not take an earlier capture for its own', async () => {
    const process = liveProcess();
    const layer = layerId(1);
    await process.train(1);
    process.send(layer);
    const request = new DeepRequest({ ...process, run: process.run, layers: [layer] });
    await process.train(3);
    expect((await request.answer).captured.get(layer)).toBe(1);
  });

  it('gives up a layer from which nothing comes, and goes on with the others', async () => {
    const able = new Set<LayerId>(IDS.slice(3));
    const process = liveProcess((layer) => able.has(layer));
    const request = new DeepRequest({ ...process, run: process.run, layers: IDS });
    await process.train(60);
    const { captured, missing } = await request.answer;
    expect([...captured.keys()]).toEqual(IDS.slice(3));
    expect(missing).toEqual(IDS.slice(0, 3));
    expect(process.focus).toEqual([]);
  });

  it('waits as long as the program is paused', async () => {
    const process = liveProcess();
    await process.train(2);
    const request = new DeepRequest({ ...process, run: process.run, layers: [layerId(0)] });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(process.focus).toEqual([layerId(0)]);
    await process.train(2);
    expect((await request.answer).captured.get(layerId(0))).toBe(2);
  });

  it('ends with its run, and when it is cancelled, with what has come', async () => {
    for (const end of ['run', 'cancel']) {
      const process = liveProcess();
      const request = new DeepRequest({ ...process, run: process.run, layers: IDS });
      await process.train(1);
      if (end === 'run') process.store.update(process.run, { phase: 'ended' });
      else request.cancel();
      await vi.advanceTimersByTimeAsync(200);
      const { captured, missing } = await request.answer;
      expect([...captured.keys()]).toEqual([layerId(0), layerId(1)]);
      expect(missing).toEqual(IDS.slice(2));
      expect(process.focus).toEqual([]);
    }
  });
});
