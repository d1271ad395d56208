import type { DefinitionId } from '../../../extension/protocol/definitions';
import type { ModelFigure } from '../../../extension/protocol/modelFigures';
import type { PanelStringKey } from '../../../extension/protocol/panelStrings';
import { formatCount, formatNumber, formatPercent, UNKNOWN } from '../../format';
import { text } from '../../strings';

type Unit = 'plain' | 'deviations' | 'percent' | 'count';

/** How a figure is called, counted and drawn. */
interface FigureInfo {
  readonly title: PanelStringKey;
  readonly unit: Unit;
  /** A logarithmic scale unless the person wants the other. */
  readonly log: boolean;
  /** A linear scale begins at 0. */
  readonly fromZero: boolean;
  readonly definition: DefinitionId;
}

const info = (
  title: PanelStringKey,
  unit: Unit,
  scale: 'log' | 'linear' | 'fromZero',
  definition: DefinitionId,
): FigureInfo => ({
  title,
  unit,
  log: scale === 'log',
  fromZero: scale === 'fromZero',
  definition,
});

export const FIGURE_INFO: Readonly<Record<ModelFigure, FigureInfo>> = {
  preDrift: info('modelPreDrift', 'deviations', 'fromZero', 'drift'),
  postDrift: info('modelPostDrift', 'deviations', 'fromZero', 'drift'),
  preStd: info('modelPreStd', 'plain', 'linear', 'distribution'),
  postStd: info('modelPostStd', 'plain', 'linear', 'distribution'),
  deadShare: info('modelDeadShare', 'percent', 'fromZero', 'dead-features'),
  saturation: info('modelSaturation', 'percent', 'fromZero', 'saturation'),
  gradPostNorm: info('modelGradPostNorm', 'plain', 'log', 'gradients'),
  gradPreNorm: info('modelGradPreNorm', 'plain', 'log', 'gradients'),
  gradientRatio: info('modelGradientRatio', 'plain', 'log', 'gradients'),
  tidMean: info('modelTidMean', 'deviations', 'fromZero', 'running-statistics'),
  relativeEvalShift: info('modelEvalShift', 'deviations', 'fromZero', 'eval-shift'),
  gammaUpdateRatio: info('modelGammaUpdate', 'plain', 'log', 'parameters'),
  headroom: info('modelHeadroom', 'percent', 'log', 'value-classes'),
  nonFinite: info('modelNonFinite', 'count', 'fromZero', 'value-classes'),
};

export const figureTitle = (figure: ModelFigure): string => text(FIGURE_INFO[figure].title);

/** A figure's value with its unit. */
export function formatFigure(figure: ModelFigure, value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return UNKNOWN;
  switch (FIGURE_INFO[figure].unit) {
    case 'percent':
      return text('percent', formatPercent(100 * value));
    case 'count':
      return formatCount(value);
    case 'deviations':
      return text('deviations', formatNumber(value));
    case 'plain':
      return formatNumber(value);
  }
}
