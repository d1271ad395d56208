import type { DefinitionId } from './definitions';
import type { LayerId, RunId } from './ids';
import type { PanelState } from './panelState';
import type { ViewQuery } from './views';

/**
 * Messages between the panel and the extension host. The panel pulls: the host says that something
 * changed (at most 30 times a second), the panel asks for what it shows when it is ready to draw,
 * so a slow or hidden panel never makes messages pile up.
 */

/** Longest text that the panel may copy, in UTF-16 code units. */
export const MAX_COPY_LENGTH = 16 * 1024 * 1024;
/** Largest file that the panel may save, in bytes. */
export const MAX_SAVE_BYTES = 64 * 1024 * 1024;

/** Endings of the files that the panel saves. */
export const SAVED_TYPES = ['png', 'svg', 'csv', 'html'] as const;
export type SavedType = (typeof SAVED_TYPES)[number];

export type FromPanel =
  /** First message; the host answers with `welcome`. */
  | { readonly type: 'ready' }
  | { readonly type: 'query'; readonly requestId: number; readonly query: ViewQuery }
  | { readonly type: 'focus'; readonly run: RunId; readonly layers: readonly LayerId[] }
  | { readonly type: 'reveal'; readonly file: string; readonly line: number }
  /** What the panel remembers has changed; the host keeps it over the panel's closing. */
  | { readonly type: 'state'; readonly state: PanelState }
  /** Measures the run's drift against a step; null: against none in particular any more. */
  | { readonly type: 'reference'; readonly run: RunId; readonly step: number | null }
  /** A chart or its figures as text, for the clipboard. */
  | { readonly type: 'copy'; readonly text: string }
  /** A chart or the whole view as a file; the person says where. `name` is without its ending. */
  | {
      readonly type: 'save';
      readonly name: string;
      readonly as: SavedType;
      readonly bytes: ArrayBuffer;
    }
  /** Where a figure is defined. */
  | { readonly type: 'definition'; readonly id: DefinitionId }
  /** Commands the empty states offer. */
  | { readonly type: 'command'; readonly command: 'debugCurrentFile' | 'addConfiguration' };

export type ToPanel =
  | {
      readonly type: 'welcome';
      /** What the panel remembered when it was closed, for a page that remembers nothing itself. */
      readonly state?: PanelState | null;
    }
  /** The store has something new since the last answer. */
  | { readonly type: 'changed' }
  /** `blob` is a view as a safetensors blob. */
  | { readonly type: 'view'; readonly requestId: number; readonly blob: ArrayBuffer }
  | { readonly type: 'failed'; readonly requestId: number; readonly message: string }
  /** The command palette asks for the whole view as a file: the panel answers with `save`. */
  | { readonly type: 'export' }
  /** The command palette or the editor chose a layer. */
  | { readonly type: 'select'; readonly run: RunId; readonly layer: LayerId };
