import {
  INITIAL_PANEL_STATE,
  type FromPanel,
  type PanelState,
} from '../../extension/protocol/panelMessages';

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
export function recall(): PanelState {
  const state = api.getState() as Partial<PanelState> | undefined | null;
  if (typeof state !== 'object' || state?.version !== 1) return INITIAL_PANEL_STATE;
  return {
    version: 1,
    run: typeof state.run === 'string' ? state.run : null,
    layerName: typeof state.layerName === 'string' ? state.layerName : null,
    step: typeof state.step === 'number' && Number.isFinite(state.step) ? state.step : 'live',
  };
}
