import type { DefinitionId } from '../../protocol/definitions';
import type { LayerId, RunId } from '../../protocol/ids';
import type { FromPanel, SavedType, ToPanel } from '../../protocol/panelMessages';
import type { PanelState } from '../../protocol/panelState';
import type { ViewQuery } from '../../protocol/views';
import { parseFromPanel } from './parseFromPanel';

/** What the session needs of the run store and the hub. */
export interface PanelSource {
  query(query: ViewQuery): Uint8Array;
  /** Calls back after changes, at most 30 times a second. */
  onDidChange(listener: () => void): { dispose(): void };
  focus(run: RunId, layers: readonly LayerId[]): void;
  /** Measures a run's drift against a step; null: against none in particular. */
  chooseReference(run: RunId, step: number | null): void;
}

/** A step of a run. */
export interface ShownStep {
  readonly run: RunId;
  readonly step: number;
}

/** Keeps what the panel remembers over its closing. */
export interface PanelMemory {
  recall(): PanelState | null;
  remember(state: PanelState): void;
}

/** What the session can do for the person. */
export interface PanelActions {
  reveal(file: string, line: number): void;
  copy(text: string): void;
  save(name: string, as: SavedType, bytes: Uint8Array): void;
  showDefinition(id: DefinitionId): void;
  command(name: Extract<FromPanel, { type: 'command' }>['command']): void;
  /** The panel shows another run. */
  showsRun?(run: RunId): void;
  /** Without it a panel that is opened anew remembers nothing. */
  readonly memory?: PanelMemory;
}

interface Selection {
  readonly run: RunId;
  readonly layer: LayerId;
}

const shownIn = ({ run, step }: PanelState): ShownStep | undefined =>
  run === null || step === 'live' ? undefined : { run, step };

/** Talks with one panel, from its opening to its closing. */
export class PanelSession {
  private readonly subscription: { dispose(): void };
  private ready = false;
  private pending: Selection | undefined;
  private focusedRun: RunId | undefined;
  private shown: ShownStep | undefined;

  constructor(
    private readonly source: PanelSource,
    private readonly actions: PanelActions,
    private readonly post: (message: ToPanel) => void,
  ) {
    this.subscription = source.onDidChange(() => {
      if (this.ready) this.post({ type: 'changed' });
    });
  }

  /** Shows a layer: now, or as soon as the panel has said that it is ready. */
  select(run: RunId, layer: LayerId): void {
    if (this.ready) this.post({ type: 'select', run, layer });
    else this.pending = { run, layer };
  }

  /** The step that it shows; undefined while it follows the newest. */
  get shownStep(): ShownStep | undefined {
    return this.shown;
  }

  /** Asks the panel for all that it shows as one file. */
  exportView(): void {
    if (this.ready) this.post({ type: 'export' });
  }

  /** Handles whatever the panel's page has sent; what is no message of ours is ignored. */
  receive(value: unknown): void {
    const message = parseFromPanel(value);
    if (!message) return;
    switch (message.type) {
      case 'ready':
        this.welcome();
        break;
      case 'query':
        this.answer(message.requestId, message.query);
        break;
      case 'focus':
        this.focus(message.run, message.layers);
        break;
      case 'reveal':
        this.actions.reveal(message.file, message.line);
        break;
      case 'state':
        // A page speaks of its state before it was told what the one before it remembered.
        if (!this.ready) break;
        this.actions.memory?.remember(message.state);
        this.shown = shownIn(message.state);
        if (message.state.run !== null) this.actions.showsRun?.(message.state.run);
        break;
      case 'reference':
        this.source.chooseReference(message.run, message.step);
        break;
      case 'copy':
        this.actions.copy(message.text);
        break;
      case 'save':
        this.actions.save(message.name, message.as, new Uint8Array(message.bytes));
        break;
      case 'definition':
        this.actions.showDefinition(message.id);
        break;
      case 'command':
        this.actions.command(message.command);
        break;
    }
  }

  /** The page is gone, with everything in it, until the panel is shown again and says `ready`. */
  hide(): void {
    this.ready = false;
    if (this.focusedRun !== undefined) this.source.focus(this.focusedRun, []);
    this.focusedRun = undefined;
  }

  dispose(): void {
    this.hide();
    this.subscription.dispose();
  }

  private welcome(): void {
    this.ready = true;
    const { memory } = this.actions;
    this.post({
      type: 'welcome',
      ...(memory ? { state: memory.recall() } : {}),
    });
    if (this.pending) this.post({ type: 'select', ...this.pending });
    this.pending = undefined;
  }

  private answer(requestId: number, query: ViewQuery): void {
    try {
      // A copy of its own: the store's bytes may lie in a larger, shared buffer.
      const blob = new Uint8Array(this.source.query(query)).buffer;
      this.post({ type: 'view', requestId, blob });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.post({ type: 'failed', requestId, message });
    }
  }

  private focus(run: RunId, layers: readonly LayerId[]): void {
    if (this.focusedRun !== undefined && this.focusedRun !== run) {
      this.source.focus(this.focusedRun, []);
    }
    this.focusedRun = run;
    this.source.focus(run, layers);
  }
}
