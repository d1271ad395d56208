import type { AlertStringKey } from './panelStrings/alert';
import type { ChartStringKey } from './panelStrings/chart';
import type { DefinitionStringKey } from './panelStrings/definition';
import type { FrameStringKey } from './panelStrings/frame';
import type { LayerStringKey } from './panelStrings/layer';
import type { LayerChartStringKey } from './panelStrings/layerChart';
import type { MenuStringKey } from './panelStrings/menu';
import type { ModelStringKey } from './panelStrings/model';
import type { StateStringKey } from './panelStrings/state';

/** Keys of the panel's texts: the host localises them, the panel shows them. */
export type PanelStringKey =
  | FrameStringKey
  | LayerStringKey
  | LayerChartStringKey
  | ChartStringKey
  | MenuStringKey
  | DefinitionStringKey
  | ModelStringKey
  | AlertStringKey
  | StateStringKey;

/** Texts with `{0}`, `{1}` … for values. */
export type PanelStrings = Readonly<Record<PanelStringKey, string>>;
