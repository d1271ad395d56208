import { describe, expect, it, vi } from 'vitest';
import type { ToPanel } from '../../../extension/protocol/panelMessages';
import { runId, layerId } from '../../../extension/protocol/ids';
import { PanelSession, type PanelSource } from '../../../extension/views/panel/panelSession';
import { parseFromPanel } from '../../../extension/views/panel/parseFromPanel';

/** Actions that only remember how they were called. */
const panelActions = () => ({
  reveal: vi.fn(),
  copy: vi.fn(),
  save: vi.fn(),
  showDefinition: vi.fn(),
  command: vi.fn(),
  showsRun: vi.fn(),
});

function opened(query: PanelSource['query'] = () => new Uint8Array(0)) {
  const listeners = new Set<() => void>();
  const focused: unknown[] = [];
  const references: unknown[] = [];
  const posted: ToPanel[] = [];
  const actions = panelActions();
  const session = new PanelSession(
    {
      query,
      onDidChange: (listener) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
      focus: (run, layers) => focused.push([run, layers]),
      chooseReference: (run, step) => references.push([run, step]),
    },
    actions,
    (message) => posted.push(message),
  );
  const change = () => listeners.forEach((listener) => listener());
  return { session, posted, focused, references, listeners, change, actions };
}

const layerQuery = {
  view: 'layer',
  run: 'r',
  layer: 0,
  step: 'live',
  points: 400,
  ridges: 24,
  ridgePoints: 96,
};

describe('the step of a panel', () => {
  const state = {
    version: 2,
    run: 'r',
    layerName: null,
    section: 'layer',
    range: null,
    options: {},
  };

  it('is known while it is a certain one', () => {
    const { session } = opened();
    session.receive({ type: 'ready' });
    session.receive({ type: 'state', state: { ...state, step: 12 } });
    expect(session.shownStep).toEqual({ run: 'r', step: 12 });
    session.receive({ type: 'state', state: { ...state, step: 'live' } });
    expect(session.shownStep).toBeUndefined();
  });

  it('becomes what drift is measured against, and is given up again', () => {
    const { session, references } = opened();
    session.receive({ type: 'reference', run: 'r', step: 12 });
    session.receive({ type: 'reference', run: 'r', step: null });
    expect(references).toEqual([
      ['r', 12],
      ['r', null],
    ]);
  });
});

describe('messages from the panel', () => {
  it.each([
    ['nothing', undefined],
    ['a text', 'ready'],
    ['an unknown type', { type: 'execute', command: 'rm' }],
    ['a command that is not offered', { type: 'command', command: 'workbench.action.quit' }],
    ['a query without an id', { type: 'query', query: { view: 'runs' } }],
    ['an unknown view', { type: 'query', requestId: 1, query: { view: 'files' } }],
    ['too many points', { type: 'query', requestId: 1, query: { ...layerQuery, points: 1e9 } }],
    ['too many ridges', { type: 'query', requestId: 1, query: { ...layerQuery, ridges: 65 } }],
    ['endless ridges', { type: 'query', requestId: 1, query: { ...layerQuery, ridgePoints: NaN } }],
    ['a negative step', { type: 'query', requestId: 1, query: { ...layerQuery, step: -1 } }],
    [
      'a fraction of a layer',
      { type: 'query', requestId: 1, query: { ...layerQuery, layer: 0.5 } },
    ],
    ['a run that is an object', { type: 'focus', run: {}, layers: [] }],
    ['a reference that is no step', { type: 'reference', run: 'r', step: -1.5 }],
    ['too much focus', { type: 'focus', run: 'r', layers: Array.from({ length: 65 }, () => 1) }],
    ['a line that is no number', { type: 'reveal', file: '/a.py', line: '3' }],
    ['line 0', { type: 'reveal', file: '/a.py', line: 0 }],
    ['an endless path', { type: 'reveal', file: 'x'.repeat(5_000), line: 1 }],
  ])('are ignored when they are %s', (_what, message) => {
    expect(parseFromPanel(message)).toBeUndefined();
  });

  it('lose what does not belong to them', () => {
    expect(
      parseFromPanel({ type: 'query', requestId: 3, query: { ...layerQuery, extra: 1 }, more: 2 }),
    ).toEqual({ type: 'query', requestId: 3, query: layerQuery });
  });
});

describe('the session of a panel', () => {
  it('answers with bytes of their own, not with a part of a larger buffer', () => {
    const shared = new Uint8Array([9, 9, 1, 2, 3, 9]);
    const { session, posted } = opened(() => shared.subarray(2, 5));
    session.receive({ type: 'query', requestId: 7, query: layerQuery });
    const [answer] = posted;
    if (answer?.type !== 'view') throw new Error('There is no answer.');
    expect(answer.requestId).toBe(7);
    expect([...new Uint8Array(answer.blob)]).toEqual([1, 2, 3]);
    expect(answer.blob).not.toBe(shared.buffer);
    session.dispose();
  });

  it('says why a query failed', () => {
    const { session, posted } = opened(() => {
      throw new Error('The trace is damaged.');
    });
    session.receive({ type: 'query', requestId: 7, query: layerQuery });
    expect(posted).toEqual([{ type: 'failed', requestId: 7, message: 'The trace is damaged.' }]);
    session.dispose();
  });

  it('says that something changed, and not before the page is ready', () => {
    const { session, posted, change } = opened();
    change();
    expect(posted).toEqual([]);
    session.receive({ type: 'ready' });
    change();
    expect(posted.map(({ type }) => type)).toEqual(['welcome', 'changed']);
    session.dispose();
  });

  it('keeps a choice of the editor until the page is ready to hear it', () => {
    const { session, posted } = opened();
    session.select(runId('r'), layerId(4));
    expect(posted).toEqual([]);
    session.receive({ type: 'ready' });
    expect(posted.map(({ type }) => type)).toEqual(['welcome', 'select']);
    session.hide();
    session.select(runId('r'), layerId(5));
    expect(posted).toHaveLength(2);
    session.receive({ type: 'ready' });
    expect(posted.at(-1)).toEqual({ type: 'select', run: 'r', layer: 5 });
    session.dispose();
  });

  it('gives up its focus when it is hidden, closed or moved to another run', () => {
    const { session, focused, listeners } = opened();
    session.receive({ type: 'focus', run: 'a', layers: [1] });
    session.receive({ type: 'focus', run: 'b', layers: [2] });
    session.hide();
    session.dispose();
    expect(focused).toEqual([
      ['a', [1]],
      ['a', []],
      ['b', [2]],
      ['b', []],
    ]);
    expect(listeners.size).toBe(0);
  });
});
