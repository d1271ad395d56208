import type { FromPanel } from '../../extension/protocol/panelMessages';
import {
  INITIAL_PANEL_STATE,
  parsePanelState,
  type PanelState,
} from '../../extension/protocol/panelState';

interface VsCodeApi {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: PanelState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

export const post = (message: FromPanel): void => api.postMessage(message);

/** Keeps the state with this page, and with the host for when the panel is closed. */
export function remember(state: PanelState): void {
  api.setState(state);
  post({ type: 'state', state });
}

/** What the panel knew when it was last hidden or reloaded; the start state where that is unusable. */
export const recall = (): PanelState => parsePanelState(api.getState()) ?? INITIAL_PANEL_STATE;
