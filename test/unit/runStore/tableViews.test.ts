import { expect, it } from 'vitest';
import { AgentFrameParser } from '../../../extension/core/collector/parseAgentFrame';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { DepthView } from '../../../extension/protocol/modelViews';
import { decodeBlob } from '../../../extension/protocol/safetensors';
import type { ViewQuery } from '../../../extension/protocol/views';
import { framesOf, syntheticRun } from '../../fixtures/syntheticRun';

it('answers about the table anew when a step was added, the question differs or the run ended', () => {
  const frames = framesOf(syntheticRun({ layers: 2, steps: 3, samples: 4, features: 3 }), false);
  const store = new RunStore();
  const run = store.create({ id: 'one', program: 'a.py', sessionType: 'normscope', startedAt: 1 });
  const parser = new AgentFrameParser();
  const add = () => {
    const bytes = frames.shift();
    const frame = bytes && parser.parse(decodeBlob(bytes));
    if (frame) store.accept(run, frame);
  };
  for (let i = 0; i < 4; i++) add();
  const id = run.origin.id;
  const ask = (query: ViewQuery) => decodeBlob(store.query(query));
  const heat = { view: 'heat', run: id, figure: 'preStd', points: 10 } as const;
  const depth = { view: 'depth', run: id, step: 'live' } as const;
  const shown = () => (ask(depth).body as DepthView).step;
  expect([...(ask(heat).tensors.steps ?? [])]).toEqual([0, 1]);
  expect(ask(heat)).toEqual(ask(heat));
  expect(shown()).toBe(1);
  add();
  expect([...(ask(heat).tensors.steps ?? [])]).toEqual([0, 1, 2]);
  expect(shown()).toBe(2);
  expect(ask({ ...heat, figure: 'postStd' }).body).toMatchObject({ figure: 'postStd' });
  expect((ask({ ...depth, step: 0 }).body as DepthView).step).toBe(0);
  store.update(run, { phase: 'ended' });
  expect((ask(depth).body as DepthView).run.phase).toBe('ended');
  store.dispose();
});
