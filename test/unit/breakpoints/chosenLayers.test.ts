import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ChosenLayers, MOST_CHOSEN } from '../../../extension/core/breakpoints/chosenLayers';
import { parseCondition } from '../../../extension/core/breakpoints/condition';
import { BlobReader } from '../../../extension/protocol/blobReader';
import { isRecord } from '../../../extension/protocol/untrusted';
import { sendFrames, until } from '../../fixtures/agentSocket';
import { nonFiniteQuestion } from '../../fixtures/nonFiniteQuestion';
import { framesOf, syntheticRun } from '../../fixtures/syntheticRun';
import { useHub } from '../captureHub/hubBench';

class Kept {
  constructor(public value: unknown = undefined) {}
  get(): unknown {
    return this.value;
  }
  update(_: string, value: unknown): Promise<void> {
    this.value = value;
    return Promise.resolve();
  }
}

describe('layers that the person chose to stop at', () => {
  it('are there again after a reload', () => {
    const kept = new Kept();
    const before = new ChosenLayers(kept);
    before.add(['norm1', 'norm2', 'norm1']);
    before.remove(['norm1']);
    expect([...new ChosenLayers(kept).all]).toEqual(['norm2']);
    before.clear();
    expect(new ChosenLayers(kept).all.size).toBe(0);
  });

  it('tell of changes, and of nothing else', () => {
    const chosen = new ChosenLayers(new Kept());
    let changes = 0;
    const subscription = chosen.onDidChange(() => (changes += 1));
    chosen.add(['norm1']);
    chosen.add(['norm1']);
    chosen.remove(['other']);
    expect(changes).toBe(1);
    subscription.dispose();
    chosen.clear();
    expect(changes).toBe(1);
  });

  it.each([undefined, 7, { names: 'norm1' }, { names: [7, null, {}, 'x'.repeat(9_999)] }])(
    'are none where what was kept is %j',
    (value) => {
      expect(new ChosenLayers(new Kept(value)).all.size).toBe(0);
    },
  );

  it('are limited in number, and say so', () => {
    const chosen = new ChosenLayers(new Kept());
    const names = Array.from({ length: MOST_CHOSEN }, (_, i) => `norm${i}`);
    expect(chosen.add(names)).toBe(true);
    expect(chosen.add(['one more'])).toBe(false);
    expect(chosen.all.size).toBe(MOST_CHOSEN);
    expect(chosen.has('one more')).toBe(false);
  });
});

describe('a process', () => {
  const bench = useHub();
  const run = syntheticRun({ layers: 2, steps: 2, program: '/home/ada/train.py' });
  const frames = framesOf(run, false);
  const [first = '', second = ''] = run.layout.layers.map(({ name }) => name);

  /** What the agent is told of breakpoints and verdicts. */
  function commandsOf(socket: Socket): unknown[] {
    const reader = new BlobReader();
    const commands: unknown[] = [];
    socket.on('data', (chunk) => {
      for (const { body } of reader.push(chunk as Buffer)) {
        if (isRecord(body) && body.kind !== 'configure') commands.push(body);
      }
    });
    return commands;
  }
  const told = (on: boolean) => ({ kind: 'breakpoints', steps: on, nonFinite: on });

  it('is told at once that a layer was chosen, and that it is not any more', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    const commands = commandsOf(socket);
    await sendFrames(socket, frames);
    await until(() => bench.summary(session).layers === 2, 'the layout came');
    bench.hub.setLayerBreakpoints([second]);
    await until(() => commands.length === 2, 'it is told');
    await sendFrames(socket, [
      nonFiniteQuestion({ name: first, layer: 0 }),
      nonFiniteQuestion({ question: 1, name: second, layer: 1 }),
    ]);
    await until(() => commands.length === 4, 'it is answered');
    expect(session.takeTensorStop(null)).toMatchObject({ why: 'nonfinite', name: second, step: 3 });
    bench.hub.setLayerBreakpoints([]);
    await until(() => commands.length === 5, 'it is told again');
    expect(commands).toEqual([
      told(false),
      told(true),
      { kind: 'verdict', question: 0, stop: false },
      { kind: 'verdict', question: 1, stop: true },
      told(false),
    ]);
  });

  it('that starts later has them too, until it has told that it has no such layer', async () => {
    bench.hub.setLayerBreakpoints(['of another model']);
    const session = bench.open();
    const socket = await bench.agent(session);
    const commands = commandsOf(socket);
    await until(() => commands.length === 1, 'it is told');
    await sendFrames(socket, frames);
    await until(() => commands.length === 2, 'it is told again');
    expect(commands).toEqual([told(true), told(false)]);
  });

  it('keeps them beside those of its debug session, and loses all when that is over', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    const commands = commandsOf(socket);
    await sendFrames(socket, frames);
    await until(() => bench.summary(session).layers === 2, 'the layout came');
    bench.hub.setLayerBreakpoints([second]);
    const { condition } = parseCondition('nonfinite', `layers: ${first}`);
    session.setTensorBreakpoints(condition ? [{ filter: 'nonfinite', condition }] : []);
    await sendFrames(socket, [nonFiniteQuestion({ name: first, layer: 0 })]);
    await until(() => commands.length === 4, 'it is answered');
    bench.hub.setLayerBreakpoints([]);
    session.setTensorBreakpoints([]);
    bench.hub.setLayerBreakpoints([first]);
    session.end();
    await until(() => commands.length === 8, 'it is told of the end');
    expect(commands).toEqual([
      told(false),
      told(true),
      // Nothing new, but a process that had no answer in time has switched itself off.
      told(true),
      { kind: 'verdict', question: 0, stop: true },
      { kind: 'breakpoints', steps: false, nonFinite: true },
      told(false),
      told(true),
      told(false),
    ]);
  });
});
