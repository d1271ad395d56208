import { describe, expect, it, vi } from 'vitest';
import { runId } from '../../../extension/protocol/ids';
import type { ToPanel } from '../../../extension/protocol/panelMessages';
import { INITIAL_PANEL_STATE, type PanelState } from '../../../extension/protocol/panelState';
import { panelMemory } from '../../../extension/views/panel/panelMemory';
import { PanelSession } from '../../../extension/views/panel/panelSession';
import { syntheticStore } from '../../fixtures/syntheticRun';

const state: PanelState = {
  version: 2,
  run: runId('synthetic'),
  layerName: 'blocks.0.norm2',
  step: 3,
  section: 'layer',
  range: [1, 4],
  options: { reference: 'first' },
};

function workspace() {
  const kept = new Map<string, unknown>();
  const store = syntheticStore({ layers: 2, steps: 5 });
  const storage = {
    get: (key: string) => kept.get(key),
    // As VS Code does, through JSON.
    update: async (key: string, value: unknown) =>
      void kept.set(key, JSON.parse(JSON.stringify(value))),
  };
  const memory = panelMemory(storage, () => store.runs());
  const openPanel = () => {
    const posted: ToPanel[] = [];
    const session = new PanelSession(
      {
        query: (query) => store.query(query),
        onDidChange: (listener) => store.onDidChange(listener),
        focus: vi.fn(),
        chooseReference: vi.fn(),
      },
      {
        reveal: vi.fn(),
        copy: vi.fn(),
        save: vi.fn(),
        showDefinition: vi.fn(),
        command: vi.fn(),
        memory,
      },
      (message) => posted.push(message),
    );
    return { session, posted };
  };
  return { kept, store, openPanel };
}

describe('a panel that is opened again', () => {
  it('is told what the closed one remembered', () => {
    const { openPanel } = workspace();
    const first = openPanel();
    first.session.receive({ type: 'ready' });
    expect(first.posted[0]).toEqual({ type: 'welcome', state: null });
    first.session.receive({ type: 'state', state });
    first.session.dispose();

    const second = openPanel();
    // The page's first state says that it remembers nothing; it must not replace what is kept.
    second.session.receive({ type: 'state', state: INITIAL_PANEL_STATE });
    second.session.receive({ type: 'ready' });
    expect(second.posted[0]).toEqual({ type: 'welcome', state });
    second.session.dispose();
  });

  it('keeps the layer but follows a run that began in between', () => {
    const { openPanel, store } = workspace();
    const first = openPanel();
    first.session.receive({ type: 'ready' });
    first.session.receive({ type: 'state', state });
    first.session.dispose();
    store.create({ id: 'next', program: 'b.py', sessionType: 'x', startedAt: Date.now() });
    const second = openPanel();
    second.session.receive({ type: 'ready' });
    expect(second.posted[0]).toMatchObject({
      state: { ...state, run: null, step: 'live', range: null },
    });
    second.session.dispose();
  });

  it('takes what an earlier version kept as far as it goes', () => {
    const { openPanel, kept, store } = workspace();
    const former = { version: 1, run: 'synthetic', layerName: 'blocks.0.norm2', step: 3 };
    kept.set('normscope.panelState', { state: former, newest: store.runs()[0]?.id });
    const { session, posted } = openPanel();
    session.receive({ type: 'ready' });
    expect(posted[0]).toEqual({
      type: 'welcome',
      state: { ...INITIAL_PANEL_STATE, ...former, version: 2 },
    });
    session.dispose();
  });

  it.each([
    ['no state', 'x'],
    ['of another version', { state: { ...state, version: 3 } }],
    ['a run that is an object', { state: { ...state, run: {} } }],
    ['a layer name without end', { state: { ...state, layerName: 'x'.repeat(5_000) } }],
    ['a step below 0', { state: { ...state, step: -1 } }],
  ])('does not use what is kept when it is %s', (_what, value) => {
    const { openPanel, kept } = workspace();
    kept.set('normscope.panelState', value);
    const { session, posted } = openPanel();
    session.receive({ type: 'ready' });
    expect(posted[0]).toMatchObject({ state: null });
    session.dispose();
  });
});
