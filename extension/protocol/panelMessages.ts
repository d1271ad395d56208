import type { LayerId, RunId } from './ids';
import type { StepChoice, ViewQuery } from './views';

/**
 * Messages between the panel and the extension host. The panel pulls: the host says that something
 * changed (at most 30 times a second), the panel asks for what it shows when it is ready to draw,
 * so a slow or hidden panel never makes messages pile up.
 */

/** What the panel remembers over hiding, reload and restart. */
export interface PanelState {
  readonly version: 1;
  readonly run: RunId | null;
  /** Layers are remembered by name: ids are given anew in each run. */
  readonly layerName: string | null;
  readonly step: StepChoice;
}

export const INITIAL_PANEL_STATE: PanelState = {
  version: 1,
  run: null,
  layerName: null,
  step: 'live',
};

export type FromPanel =
  /** First message; the host answers with `welcome`. */
  | { readonly type: 'ready' }
  | { readonly type: 'query'; readonly requestId: number; readonly query: ViewQuery }
  | { readonly type: 'focus'; readonly run: RunId; readonly layers: readonly LayerId[] }
  | { readonly type: 'reveal'; readonly file: string; readonly line: number }
  /** What the panel remembers has changed; the host keeps it over the panel's closing. */
  | { readonly type: 'state'; readonly state: PanelState }
  /** Commands the empty states offer. */
  | { readonly type: 'command'; readonly command: 'debugCurrentFile' | 'addConfiguration' };

export type ToPanel =
  | {
      readonly type: 'welcome';
      readonly strings: Readonly<Record<string, string>>;
      /** What the panel remembered when it was closed, for a page that remembers nothing itself. */
      readonly state?: PanelState | null;
    }
  /** The store has something new since the last answer. */
  | { readonly type: 'changed' }
  /** `blob` is a view as a safetensors blob. */
  | { readonly type: 'view'; readonly requestId: number; readonly blob: ArrayBuffer }
  | { readonly type: 'failed'; readonly requestId: number; readonly message: string }
  /** The command palette or the editor chose a layer. */
  | { readonly type: 'select'; readonly run: RunId; readonly layer: LayerId };
