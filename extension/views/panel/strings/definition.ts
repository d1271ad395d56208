import { l10n } from 'vscode';
import type { DefinitionStringKey } from '../../../protocol/panelStrings/definition';

export const definitionStrings = (): Readonly<Record<DefinitionStringKey, string>> => ({
  about: l10n.t('About {0}'),
  aboutUnit: l10n.t('Unit: {0}'),
  aboutMore: l10n.t('Definition and source'),
  'formula.taps': l10n.t('x → norm → y; dL/dy → norm → dL/dx'),
  'unit.taps': l10n.t('that of the tensor'),
  'formula.distribution': l10n.t('density = n(bin) / (N · width of the bin), 8 bins an octave'),
  'unit.distribution': l10n.t('share of the values per unit of value'),
  'formula.value-classes': l10n.t(
    'NaN, +∞, −∞, 0, subnormal: |x| < smallest normal; headroom = max|x| / largest of the dtype',
  ),
  'unit.value-classes': l10n.t('number of values; headroom is a share'),
  'formula.features': l10n.t('μⱼ = mean of feature j over all else, σⱼ² = mean (x − μⱼ)²'),
  'unit.features': l10n.t('that of the tensor'),
  'formula.samples': l10n.t('μₙ = mean of sample n over all else, σₙ² = mean (x − μₙ)²'),
  'unit.samples': l10n.t('that of the tensor'),
  'formula.rows': l10n.t('μᵣ = mean of row r over its features, σᵣ² = mean (x − μᵣ)²'),
  'unit.rows': l10n.t('that of the tensor'),
  'formula.drift': l10n.t(
    'moment: √(mean (μ′ⱼ − μⱼ)²) / √v, v = mean (σⱼ² + σ′ⱼ²)/2; W₁ = ∫|F − F′| / σ; PSI = Σ (p − q) ln(p/q)',
  ),
  'unit.drift': l10n.t('standard deviations; PSI has none'),
  'formula.gradients': l10n.t('‖g‖₂ = √(Σ g²); ratio = ‖dL/dx‖₂ / ‖dL/dy‖₂'),
  'unit.gradients': l10n.t('loss per unit of the tensor; the ratio has none'),
  'formula.layer-norm-theorem': l10n.t(
    'mean(dL/dx) = 0 and var(dL/dx) ≤ var(γ · dL/dy) / σ² in every row',
  ),
  'unit.layer-norm-theorem': l10n.t('loss per unit of x, and its square'),
  'formula.parameters': l10n.t('update ratio = ‖Δp‖₂ / ‖p‖₂ of γ and of β'),
  'unit.parameters': l10n.t('γ and the ratio have none; β that of y'),
  'formula.running-statistics': l10n.t(
    'Shen: ‖μ − μ_B‖₂ / d and ‖σ² − σ²_B‖₂ / d; TID: mean |μ − μ_B| / σ_B',
  ),
  'unit.running-statistics': l10n.t('that of x, and its square; TID in standard deviations'),
  'formula.eval-shift': l10n.t('√(mean (y_eval − y_train)²) / σ(y_train)'),
  'unit.eval-shift': l10n.t('standard deviations of the output'),
  'formula.saturation': l10n.t('share of |y| > 2.09, where the slope of tanh is below 0.06'),
  'unit.saturation': l10n.t('share of the values'),
  'formula.dead-features': l10n.t('share of features with σⱼ² = 0'),
  'unit.dead-features': l10n.t('share of the features'),
  'formula.deep-capture': l10n.t(
    'participation ratio = tr(S)² / ‖S‖²; mean |Rᵢⱼ|, i < j, of the covariance S and the correlation R',
  ),
  'unit.deep-capture': l10n.t('features; the correlation has none'),
  'formula.heat-map': l10n.t(
    'one figure over layers and steps; of merged steps the furthest from 0',
  ),
  'unit.heat-map': l10n.t('that of the figure'),
  'formula.depth-profile': l10n.t('one figure at one step over the layers, in model order'),
  'unit.depth-profile': l10n.t('that of the figure'),
  'formula.overhead': l10n.t('time of the capture / time of the program without it'),
  'unit.overhead': l10n.t('percent'),
});
