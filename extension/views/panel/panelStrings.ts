import type { PanelStrings } from '../../protocol/panelStrings';
import { panelAlertStrings } from './strings/alert';
import { chartStrings } from './strings/chart';
import { definitionStrings } from './strings/definition';
import { frameStrings } from './strings/frame';
import { layerStrings } from './strings/layer';
import { layerChartStrings } from './strings/layerChart';
import { menuStrings } from './strings/menu';
import { modelStrings } from './strings/model';
import { stateStrings } from './strings/state';

/** The panel's texts in the language of VS Code. */
export const panelStrings = (): PanelStrings => ({
  ...frameStrings(),
  ...layerStrings(),
  ...layerChartStrings(),
  ...chartStrings(),
  ...menuStrings(),
  ...definitionStrings(),
  ...modelStrings(),
  ...panelAlertStrings(),
  ...stateStrings(),
});
