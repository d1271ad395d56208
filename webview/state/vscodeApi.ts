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

export const remember = (state: PanelState): void => api.setState(state);

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
