import { l10n } from 'vscode';
import { readFigure, type ReadingFigure } from '../../core/editor/layerReading';
import {
  countText,
  figureText,
  meanText,
  percentText,
  shortFigure,
} from '../../core/editor/numbers';
import type { LayerTrack } from '../../core/runStore/layerTrack';
import type { Run } from '../../core/runStore/run';
import { driftText } from '../../editor/driftWords';

/** What the tree may show beside each layer; the setting `normscope.layers.figure`. */
export const TREE_FIGURES = [
  'sigma',
  'mean',
  'drift',
  'gradients',
  'gradientRatio',
  'deadShare',
  'saturation',
  'evalShift',
  'gammaUpdateRatio',
  'headroom',
  'nonFinite',
] as const;
export type TreeFigure = (typeof TREE_FIGURES)[number];

export function figureTitle(figure: TreeFigure): string {
  switch (figure) {
    case 'sigma':
      return l10n.t('σ before → after');
    case 'mean':
      return l10n.t('Mean before → after');
    case 'drift':
      return l10n.t('Drift of the input (floor)');
    case 'gradients':
      return l10n.t('Gradient ‖dL/dy‖ → ‖dL/dx‖');
    case 'gradientRatio':
      return l10n.t('‖dL/dx‖ / ‖dL/dy‖');
    case 'deadShare':
      return l10n.t('Dead features');
    case 'saturation':
      return l10n.t('Saturated share');
    case 'evalShift':
      return l10n.t('Predicted eval shift');
    case 'gammaUpdateRatio':
      return l10n.t('γ update ratio');
    case 'headroom':
      return l10n.t('Headroom used');
    case 'nonFinite':
      return l10n.t('NaN and infinite');
  }
}

const percent = (share: number): string =>
  Number.isNaN(share) ? percentText(share) : l10n.t('{0} %', percentText(share));

/** The newest figure of a layer, as it stands beside its name. */
export function treeFigure(run: Run, track: LayerTrack, figure: TreeFigure): string {
  const read = (name: ReadingFigure) => readFigure(run, track, name);
  const arrow = (from: ReadingFigure, to: ReadingFigure) =>
    `${shortFigure(read(from))} → ${shortFigure(read(to))}`;
  switch (figure) {
    case 'sigma':
      return `σ ${arrow('preStd', 'postStd')}`;
    case 'mean':
      return `μ ${meanText(read('preMean'), read('preStd'))} → ${meanText(read('postMean'), read('postStd'))}`;
    case 'drift':
      return driftText(run, read('drift'), read('driftFloor'));
    case 'gradients':
      return arrow('gradPostNorm', 'gradPreNorm');
    case 'gradientRatio':
      return shortFigure(read('gradientRatio'));
    case 'gammaUpdateRatio':
      return figureText(read('gammaUpdateRatio'));
    case 'evalShift':
      return Number.isNaN(read('evalShift'))
        ? shortFigure(Number.NaN)
        : l10n.t('{0} σ', shortFigure(read('evalShift')));
    case 'nonFinite':
      return countText(read('nonFinite'));
    case 'deadShare':
    case 'saturation':
    case 'headroom':
      return percent(read(figure));
  }
}
