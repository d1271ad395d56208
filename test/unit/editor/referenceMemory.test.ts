import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReferenceMemory } from '../../../extension/editor/referenceMemory';
import { runId } from '../../../extension/protocol/ids';
import { syntheticStore } from '../../fixtures/syntheticRun';

const ID = runId('synthetic');

function window(kept: Map<string, unknown>) {
  const store = syntheticStore({ layers: 1, steps: 12 });
  const storage = {
    get: (key: string) => kept.get(key),
    // As VS Code does, through JSON.
    update: async (key: string, value: unknown) =>
      void kept.set(key, JSON.parse(JSON.stringify(value))),
  };
  const memory = new ReferenceMemory(storage, store);
  const run = store.get(ID);
  if (!run) throw new Error('The store lacks the run.');
  /** Something happens. */
  const turn = () => {
    store.update(run, { notice: null });
    vi.advanceTimersByTime(1_000);
  };
  turn();
  return { store, run, memory, turn };
}

describe('the step that drift is measured against', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is the same after the window was loaded again', () => {
    const kept = new Map<string, unknown>();
    const first = window(kept);
    first.store.chooseReference(first.run, 4);
    first.turn();
    first.memory.dispose();
    const again = window(kept);
    expect(again.run.reference.step).toBe(4);
  });

  it('is forgotten once another reference was chosen', () => {
    const kept = new Map<string, unknown>();
    const first = window(kept);
    first.store.chooseReference(first.run, 4);
    first.turn();
    first.store.chooseReference(first.run, null);
    first.turn();
    expect(window(kept).run.reference.step).toBeNull();
  });

  it.each([['text'], [{ synthetic: 'four' }], [{ synthetic: 1.5 }], [null], [[4]]])(
    'is none where %j is remembered',
    (kept) => {
      const { run } = window(new Map([['normscope.referenceSteps', kept]]));
      expect(run.reference.step).toBeNull();
    },
  );
});
