import type { DefinitionId } from '../../../extension/protocol/definitions';
import type { ModelFigure } from '../../../extension/protocol/modelFigures';
import type { PanelStringKey } from '../../../extension/protocol/panelStrings';
import type { Tone } from '../../charts/seriesGeometry';

export interface DepthFigure {
  readonly id: string;
  readonly title: PanelStringKey;
  readonly lines: readonly {
    readonly figure: ModelFigure;
    readonly tone: Tone;
    readonly label: PanelStringKey;
  }[];
  /** The tensor that says what sampling alone makes. */
  readonly band?: string;
  readonly scale: 'linear' | 'log';
  /** A value to compare with. */
  readonly reference?: number;
  readonly definition: DefinitionId;
}

/** What is shown over the depth of the model, in the order of their questions. */
export const DEPTH_FIGURES: readonly DepthFigure[] = [
  {
    id: 'depth.spread',
    title: 'depthSpread',
    lines: [
      { figure: 'preStd', tone: 'before', label: 'before' },
      { figure: 'postStd', tone: 'after', label: 'after' },
    ],
    scale: 'linear',
    definition: 'distribution',
  },
  {
    id: 'depth.gradient',
    title: 'depthGradient',
    lines: [
      { figure: 'gradPostNorm', tone: 'after', label: 'gradAfter' },
      { figure: 'gradPreNorm', tone: 'before', label: 'gradBefore' },
    ],
    scale: 'log',
    definition: 'depth-profile',
  },
  {
    id: 'depth.ratio',
    title: 'depthRatio',
    lines: [{ figure: 'gradientRatio', tone: 'foreground', label: 'modelGradientRatio' }],
    scale: 'log',
    reference: 1,
    definition: 'gradients',
  },
  {
    id: 'depth.drift',
    title: 'depthDrift',
    lines: [
      { figure: 'preDrift', tone: 'before', label: 'before' },
      { figure: 'postDrift', tone: 'after', label: 'after' },
    ],
    band: 'preDriftFloor',
    scale: 'linear',
    definition: 'drift',
  },
  {
    id: 'depth.shares',
    title: 'depthShares',
    lines: [
      { figure: 'deadShare', tone: 'before', label: 'depthDead' },
      { figure: 'saturation', tone: 'after', label: 'depthSaturated' },
    ],
    scale: 'linear',
    definition: 'saturation',
  },
  {
    id: 'depth.update',
    title: 'depthUpdate',
    lines: [{ figure: 'gammaUpdateRatio', tone: 'foreground', label: 'depthUpdate' }],
    scale: 'log',
    definition: 'parameters',
  },
  {
    id: 'depth.shift',
    title: 'depthShift',
    lines: [{ figure: 'relativeEvalShift', tone: 'foreground', label: 'depthShift' }],
    scale: 'linear',
    definition: 'eval-shift',
  },
];
