import { describe, expect, it } from 'vitest';
import { AgentFrameParser } from '../../../extension/core/collector/parseAgentFrame';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { layerId, runId } from '../../../extension/protocol/ids';
import { decodeBlob, encodeBlob } from '../../../extension/protocol/safetensors';
import type { OverviewView, ViewQuery } from '../../../extension/protocol/views';
import {
  framesOf,
  packStep,
  stepBody,
  syntheticRun,
  syntheticStore,
} from '../../fixtures/syntheticRun';

const id = runId('synthetic');

function fill(store: RunStore, frames: readonly Uint8Array[], name = 'synthetic') {
  const run = store.create({ id: name, program: '/a/b/train.py', sessionType: 'x', startedAt: 5 });
  const parser = new AgentFrameParser();
  for (const bytes of frames) {
    const frame = parser.parse(decodeBlob(bytes));
    if (frame) store.accept(run, frame);
  }
  return run;
}

describe('RunStore', () => {
  it('sums a run up', () => {
    const run = syntheticRun({ layers: 3, steps: 4 });
    const store = new RunStore();
    fill(store, framesOf(run));
    expect(store.runs()[0]).toMatchObject({
      program: 'transformer.py',
      framework: 'torch',
      pid: 4242,
      layers: 3,
      steps: 4,
      framesReceived: 7,
      framesDropped: 0,
      firstLoss: run.steps[0]?.step.loss,
      lastLoss: run.steps[3]?.step.loss,
    });
  });

  it('keeps figures but no details of steps that hold no tap', () => {
    const { hello } = syntheticRun({ layers: 1, steps: 0 });
    const layout = {
      kind: 'layout',
      layoutId: 0,
      layers: [],
      slots: [],
      parameters: [],
      histograms: [],
    };
    const steps = Array.from({ length: 500 }, (_, step) =>
      encodeBlob(stepBody(step), {
        block: new Float32Array(0),
        splits: new Uint32Array(1),
        bins: new Uint16Array(0),
        counts: new Uint32Array(0),
      }),
    );
    const frames = [encodeBlob(hello), encodeBlob({ ...layout, blockLength: 0 }), ...steps];
    const run = fill(new RunStore(), frames);
    expect(run.history.size).toBe(0);
    expect(run.summary()).toMatchObject({ steps: 500, framesReceived: 502 });
    expect(run.table.length).toBe(500);
  });

  it('has as many points of the drift as are asked for, fewer than of the loss', () => {
    const store = syntheticStore({ layers: 3, steps: 10, samples: 8 });
    const query = { view: 'overview', run: id, points: 50 } as const;
    const [all, few] = [query, { ...query, sparkPoints: 3 }].map(
      (each) => decodeBlob(store.query(each)).tensors,
    );
    const steps = all?.steps?.length ?? 0;
    const layers = (all?.drift?.length ?? 0) / steps;
    expect(few?.steps).toEqual(all?.steps);
    expect(few?.drift).toHaveLength(3 * layers);
    // From the first step to the newest.
    expect(few?.drift?.[2]).toBe(all?.drift?.[steps - 1]);
  });

  it('answers the overview with a row a layer in model order and drift by layer', () => {
    const run = syntheticRun({ layers: 3, steps: 10, samples: 8 });
    const store = syntheticStore({ layers: 3, steps: 10, samples: 8 });
    const blob = decodeBlob(store.query({ view: 'overview', run: id, points: 4 }));
    const body = blob.body as OverviewView;
    expect(body.rows.map(({ info }) => info.name)).toEqual(
      run.layout.layers.map(({ name }) => name),
    );
    expect([...(blob.tensors.steps ?? [])]).toEqual([0, 3, 6, 9]);
    expect(blob.tensors.drift).toHaveLength(12);
    for (const [at, row] of body.rows.entries()) {
      const layer = { view: 'layer', run: id, layer: row.info.id, step: 'live' } as const;
      const own = decodeBlob(store.query({ ...layer, points: 4, ridges: 0, ridgePoints: 2 }));
      expect([...(blob.tensors.drift?.slice(at * 4, at * 4 + 4) ?? [])]).toEqual([
        ...(own.tensors.preDrift ?? []),
      ]);
      expect(row.drift).toBe(own.tensors.preDrift?.[3]);
      expect(row.preStd).toBe(own.tensors.preStd?.[3]);
      expect(row.driftFloor).toBeCloseTo(0.5, 6);
      expect(row.nonFinite).toBe(0);
    }
  });

  it('answers what is not there with a sentence', () => {
    const store = syntheticStore({ layers: 1, steps: 1 });
    const layer = {
      points: 1,
      ridges: 1,
      ridgePoints: 2,
      step: 'live',
      layer: layerId(77),
    } as const;
    for (const query of [
      { view: 'overview', run: runId('gone'), points: 3 },
      { view: 'layer', run: id, ...layer },
      { view: 'nonsense', run: id } as unknown as ViewQuery,
      null as unknown as ViewQuery,
    ] as ViewQuery[]) {
      const body = decodeBlob(store.query(query)).body as { view: string; reason: string };
      expect(body.view).toBe('missing');
      expect(body.reason).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('leaves out steps that come twice or backwards', () => {
    const run = syntheticRun({ layers: 1, steps: 6 });
    const frames = framesOf(run, false);
    const store = new RunStore();
    const kept = fill(store, [...frames, ...frames.slice(2, 5)]);
    const blob = decodeBlob(store.query({ view: 'overview', run: id, points: 50 }));
    expect([...(blob.tensors.steps ?? [])]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(kept.stepsOutOfOrder).toBe(3);
    expect(store.runs()[0]?.lastLoss).toBe(run.steps[5]?.step.loss);
  });

  it('stays within its memory over a long run and still shows all of it', () => {
    const run = syntheticRun({ layers: 2, steps: 1, samples: 16, features: 64 });
    const tensors = packStep(run.layout, run.steps[0]?.values ?? []);
    const store = new RunStore({ maxRunBytes: 1_000_000 });
    const kept = fill(store, framesOf(run, false));
    const parser = new AgentFrameParser();
    parser.parse(decodeBlob(encodeBlob(run.hello)));
    parser.parse(decodeBlob(encodeBlob(run.layout)));
    for (let step = 1; step < 3000; step++) {
      const frame = parser.parse(decodeBlob(encodeBlob(stepBody(step), tensors)));
      if (frame) store.accept(kept, frame);
      expect(kept.history.byteLength + kept.table.byteLength).toBeLessThanOrEqual(1_000_000);
    }
    const layer = { view: 'layer', run: id, layer: layerId(0), step: 'live' } as const;
    const blob = decodeBlob(store.query({ ...layer, points: 50, ridges: 6, ridgePoints: 8 }));
    const ridges = [...(blob.tensors.ridgeSteps ?? [])];
    expect(ridges[0]).toBe(0);
    expect(ridges.at(-1)).toBe(2999);
    const gaps = ridges.slice(1).map((step, at) => step - (ridges[at] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(3000 / 5 + 600);
    expect(blob.tensors.steps?.at(-1)).toBe(2999);
  });

  it('lets the oldest runs go that are over, and shrinks the others that are', () => {
    const store = new RunStore({ maxRuns: 3 });
    const frames = framesOf(syntheticRun({ layers: 1, steps: 2 }));
    const runs = ['a', 'b', 'c'].map((name) => fill(store, frames, name));
    for (const run of runs.slice(0, 2)) store.update(run, { phase: 'ended' });
    fill(store, frames, 'd');
    expect(store.runs().map((run) => run.id)).toEqual(['d', 'c', 'b']);
    fill(store, frames, 'e');
    fill(store, frames, 'f');
    // Runs that go on are never let go.
    expect(store.runs().map((run) => run.id)).toEqual(['f', 'e', 'd', 'c']);
  });

  it('stays within its memory for all runs together, however many go on', () => {
    const run = syntheticRun({ layers: 2, steps: 1, samples: 16, features: 64 });
    const tensors = packStep(run.layout, run.steps[0]?.values ?? []);
    const store = new RunStore({ maxRunBytes: 400_000, maxTotalBytes: 1_000_000 });
    const live = [];
    for (let n = 0; n < 8; n++) {
      const kept = fill(store, framesOf(run, false), `run-${n}`);
      const parser = new AgentFrameParser();
      parser.parse(decodeBlob(encodeBlob(run.hello)));
      parser.parse(decodeBlob(encodeBlob(run.layout)));
      for (let step = 1; step < 120; step++) {
        const frame = parser.parse(decodeBlob(encodeBlob(stepBody(step), tensors)));
        if (frame) store.accept(kept, frame);
      }
      live.push(kept);
      const total = live.reduce((sum, { byteLength }) => sum + byteLength, 0);
      expect(total).toBeLessThanOrEqual(1_000_000);
      expect(kept.byteLength).toBeLessThanOrEqual(400_000);
      if (n === 0) expect(kept.byteLength).toBeGreaterThan(200_000);
    }
    for (const { byteLength } of live) expect(byteLength).toBeLessThanOrEqual(1_000_000 / 8);
    for (const kept of live) expect(kept.history.records().at(-1)?.step).toBe(119);
    for (const kept of live.slice(0, 7)) store.update(kept, { phase: 'ended' });
    const next = fill(store, framesOf(run, false), 'next');
    // Seven quarters, the one that goes on and the new one: 3.75 shares.
    const share = 1_000_000 / 3.75;
    for (const { byteLength } of live.slice(0, 7)) {
      expect(byteLength).toBeLessThanOrEqual(share / 4);
    }
    expect(next.history.size).toBe(1);
  });

  it('counts the updates that the process counted, once it has said how many', () => {
    const run = syntheticRun({ layers: 1, steps: 5 });
    const store = new RunStore();
    fill(store, framesOf(run, false));
    expect(store.runs()[0]?.steps).toBe(5);
    const other = new RunStore();
    fill(other, [...framesOf(run, false), encodeBlob({ ...run.bye, steps: 4 })]);
    expect(other.runs()[0]?.steps).toBe(4);
  });

  it('gives a taken id a number', () => {
    const store = new RunStore();
    const ids = [1, 2, 3].map(() => fill(store, [], '17-train.py').origin.id);
    expect(ids).toEqual(['17-train.py', '17-train.py-2', '17-train.py-3']);
  });

  it('tells listeners at most 30 times a second, and goes on after one that throws', async () => {
    const store = new RunStore();
    let calls = 0;
    store.onDidChange(() => {
      throw new Error('a listener');
    });
    const listening = store.onDidChange(() => calls++);
    const frames = framesOf(syntheticRun({ layers: 1, steps: 2 }));
    const started = performance.now();
    for (let i = 0; performance.now() - started < 500; i++) {
      fill(store, frames, `run-${i}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(calls).toBeGreaterThan(2);
    expect(calls).toBeLessThanOrEqual(18);
    listening.dispose();
    const before = calls;
    fill(store, frames, 'last');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(calls).toBe(before);
    store.dispose();
  });
});
