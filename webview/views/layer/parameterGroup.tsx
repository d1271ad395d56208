import type { PanelStringKey } from '../../../extension/protocol/panelStrings';
import type { Parameter } from '../../../extension/protocol/layers';
import type { LayerView } from '../../../extension/protocol/views';
import { numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { Group, groupState } from './group';
import { single, type StepFigures } from './stepChart';
import { StepCharts } from './stepCharts';
import { StemChart } from './stemChart';

const state = groupState('parameters');

interface ParameterProfile {
  readonly parameter: Parameter;
  readonly title: PanelStringKey;
  /** Where the parameter begins before it has learned. */
  readonly from: number;
}

const PROFILES: readonly ParameterProfile[] = [
  { parameter: 'gamma', title: 'gamma', from: 1 },
  { parameter: 'beta', title: 'beta', from: 0 },
  { parameter: 'gammaGradient', title: 'gammaGradient', from: 0 },
  { parameter: 'betaGradient', title: 'betaGradient', from: 0 },
];

const small = (id: string, title: PanelStringKey, tensor: string): StepFigures => ({
  id,
  title,
  size: 'small',
  lines: single(title, tensor),
  scale: 'log',
  definition: 'parameters',
});

const OVER_STEPS: readonly StepFigures[] = [
  small('gammaUpdateRatio', 'gammaUpdateRatio', 'gammaUpdateRatio'),
  small('betaUpdateRatio', 'betaUpdateRatio', 'betaUpdateRatio'),
  small('gammaGradientNorm', 'gammaGradientNorm', 'gammaGradientNorm'),
  small('betaGradientNorm', 'betaGradientNorm', 'betaGradientNorm'),
];

/** γ and β: what they are, which way the step pushes them, and how much they move. */
export function ParameterGroup({ view }: { readonly view: Loaded<LayerView> }) {
  const there = PROFILES.filter(({ parameter }) => numbers(view, parameter).some(Number.isFinite));
  return (
    <Group id="parameters" title={text('groupParameters')} state={state}>
      {there.length === 0 ? (
        <p class="hint">{text('noParameters')}</p>
      ) : (
        <>
          <div class="charts pair">
            {there.map(({ parameter, title, from }) => (
              <StemChart
                key={parameter}
                id={`parameter.${parameter}`}
                title={text(title)}
                view={view}
                values={numbers(view, parameter)}
                from={from}
                tone="foreground"
                definition="parameters"
              />
            ))}
          </div>
          <StepCharts view={view} charts={OVER_STEPS} columns="pair" />
        </>
      )}
    </Group>
  );
}
