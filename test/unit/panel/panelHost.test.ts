import { beforeEach, describe, expect, it, vi } from 'vitest';
import { layerId, runId } from '../../../extension/protocol/ids';
import { INITIAL_PANEL_STATE } from '../../../extension/protocol/panelState';

/** A panel of VS Code that remembers what was done to it. */
class FakePanel {
  title = 'NormScope';
  visible = true;
  active = true;
  viewColumn = 2;
  readonly posted: unknown[] = [];
  readonly reveal = vi.fn();
  private readonly listeners: Record<string, ((event: unknown) => void)[]> = {};
  readonly webview = {
    html: '',
    cspSource: 'vscode:',
    asWebviewUri: (uri: string) => uri,
    postMessage: (message: unknown) => this.posted.push(message),
    onDidReceiveMessage: this.on('message'),
  };
  readonly onDidChangeViewState = this.on('state');
  readonly onDidDispose = this.on('dispose');

  private on(name: string) {
    return (listener: (event: unknown) => void) => {
      (this.listeners[name] ??= []).push(listener);
    };
  }

  emit(name: 'message' | 'state' | 'dispose', event?: unknown): void {
    for (const listener of this.listeners[name] ?? []) listener(event);
  }

  dispose(): void {
    this.emit('dispose');
  }
}

const opened: FakePanel[] = [];
const executed = vi.fn();

vi.mock('vscode', () => ({
  l10n: { t: (message: string) => message },
  env: { language: 'en' },
  ViewColumn: { Beside: -2 },
  Uri: { joinPath: (...parts: string[]) => parts.join('/') },
  commands: { executeCommand: executed },
  window: {
    createWebviewPanel: () => {
      const panel = new FakePanel();
      opened.push(panel);
      return panel;
    },
  },
}));

const { PanelHost } = await import('../../../extension/views/panel/panelHost');

function host() {
  const focused: unknown[] = [];
  const panels = new PanelHost({
    extensionUri: 'ext:' as never,
    source: {
      query: () => new Uint8Array(0),
      onDidChange: () => ({ dispose: () => undefined }),
      focus: (run, layers) => focused.push([run, layers]),
      chooseReference: vi.fn(),
    },
    actions: {
      reveal: vi.fn(),
      copy: vi.fn(),
      save: vi.fn(),
      showDefinition: vi.fn(),
      command: vi.fn(),
    },
    programOf: (run) => ({ r1: 'one.py', r2: 'two.py' })[String(run)],
  });
  return { panels, focused };
}

const panelAt = (index: number): FakePanel => {
  const panel = opened[index];
  if (!panel) throw new Error(`There is no panel ${index}.`);
  return panel;
};

const shows = (panel: FakePanel, run: string) => {
  panel.emit('message', { type: 'ready' });
  panel.emit('message', { type: 'state', state: { ...INITIAL_PANEL_STATE, run } });
};

describe('the panels of a window', () => {
  beforeEach(() => {
    opened.length = 0;
    executed.mockClear();
  });

  it('are one, brought up again, unless another is asked for', () => {
    const { panels } = host();
    panels.show();
    panels.show();
    expect(opened).toHaveLength(1);
    expect(panelAt(0).reveal).toHaveBeenCalledTimes(1);
    panels.openAnother();
    expect(opened).toHaveLength(2);
  });

  it('are told apart by the program of the run that each shows', () => {
    const { panels } = host();
    panels.show();
    panels.openAnother();
    shows(panelAt(0), 'r1');
    shows(panelAt(1), 'r2');
    expect(opened.map(({ title }) => title)).toEqual(['NormScope: one.py', 'NormScope: two.py']);
  });

  it('bring up the one that was active last', () => {
    const { panels } = host();
    panels.show();
    panels.openAnother();
    panelAt(0).emit('state');
    panelAt(1).reveal.mockClear();
    panels.show(runId('r1'), layerId(4));
    expect(panelAt(0).reveal).toHaveBeenCalledTimes(1);
    expect(panelAt(1).reveal).not.toHaveBeenCalled();
    panelAt(0).emit('message', { type: 'ready' });
    expect(panelAt(0).posted).toContainEqual({ type: 'select', run: 'r1', layer: 4 });
  });

  it('give the agent all that they show, and take back what a closed one showed', () => {
    const { panels, focused } = host();
    panels.show();
    panels.openAnother();
    panelAt(0).emit('message', { type: 'focus', run: 'r1', layers: [1] });
    panelAt(1).emit('message', { type: 'focus', run: 'r1', layers: [2] });
    expect(focused.at(-1)).toEqual(['r1', [1, 2]]);
    panelAt(0).dispose();
    expect(focused.at(-1)).toEqual(['r1', [2]]);
  });

  it('export the view of the one that was active last', () => {
    const { panels } = host();
    panels.show();
    panels.openAnother();
    for (const panel of opened) panel.emit('message', { type: 'ready' });
    panelAt(0).emit('state');
    panels.exportView();
    expect(panelAt(0).posted.at(-1)).toEqual({ type: 'export' });
    expect(panelAt(1).posted).not.toContainEqual({ type: 'export' });
  });

  it('say whether one is open', () => {
    const { panels } = host();
    panels.show();
    expect(executed).toHaveBeenLastCalledWith('setContext', 'normscope.panelOpen', true);
    panelAt(0).dispose();
    expect(executed).toHaveBeenLastCalledWith('setContext', 'normscope.panelOpen', false);
    panels.show();
    expect(opened).toHaveLength(2);
  });

  it('are filled again when VS Code restores them', () => {
    const { panels } = host();
    const restored = new FakePanel();
    panels.adopt(restored as never);
    expect(restored.webview.html).toContain('panel.js');
    shows(restored, 'r2');
    expect(restored.title).toBe('NormScope: two.py');
  });
});
