import { l10n } from 'vscode';
import type { MenuStringKey } from '../../../protocol/panelStrings/menu';

export const menuStrings = (): Readonly<Record<MenuStringKey, string>> => ({
  chartMenu: l10n.t('Copy or tabulate: {0}'),
  copyPng: l10n.t('Copy as PNG'),
  copySvg: l10n.t('Copy as SVG'),
  copyCsv: l10n.t('Copy as CSV'),
  showTable: l10n.t('Show as Table'),
  hideTable: l10n.t('Hide Table'),
  copied: l10n.t('{0} copied'),
  notCopied: l10n.t('not copied: {0}'),
  tableOf: l10n.t('Figures of {0}'),
  tableRows: l10n.t('The first {0} of {1} rows. Copy as CSV has them all.'),
  scale: l10n.t('Scale of the values in {0}'),
  scaleLinear: l10n.t('linear'),
  scaleLog: l10n.t('log'),
  zoomKeys: l10n.t('Drag to zoom over steps. Keys: + and − zoom, arrows move, 0 shows all.'),
  zoomed: l10n.t('Charts show steps {0} to {1} of {2} to {3}.'),
  zoomAll: l10n.t('Show All Steps'),
  reportStep: l10n.t('step {0}'),
  reportTable: l10n.t('Table'),
  reportRows: l10n.t('{0} of {1} rows, spread evenly'),
});
