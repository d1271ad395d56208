import { layer } from '../../state/panel';
import { text } from '../../strings';
import { Connecting, Waiting } from '../frame/emptyState';
import { DeepTable } from './deepTable';
import { DistributionGroup } from './distributionGroup';
import { DriftGroup } from './driftGroup';
import { FeatureGroup } from './featureGroup';
import { FiguresTable } from './figuresTable';
import { GradientGroup } from './gradientGroup';
import { LayerAlerts } from './layerAlerts';
import { LayerHeader } from './layerHeader';
import { LayerList } from './layerList';
import { Notes } from './notes';
import { OverStepsGroup } from './overStepsGroup';
import { ParameterGroup } from './parameterGroup';
import { RunningGroup } from './runningGroup';
import { SampleGroup } from './sampleGroup';

/** In the order in which a person asks: what it looks like, whether it moves, where, and why. */
const GROUPS = [
  DistributionGroup,
  DriftGroup,
  GradientGroup,
  FeatureGroup,
  SampleGroup,
  ParameterGroup,
  RunningGroup,
  OverStepsGroup,
] as const;

function ChosenLayer() {
  const view = layer.value;
  if (!view)
    return (
      <main class="main">
        <Connecting />
      </main>
    );
  const { info, step } = view.body;
  return (
    <div class="content">
      <main class="main">
        <LayerHeader info={info} />
        {step === null ? (
          <Waiting title={text('noStepTitle', info.name)} body={text('noStepText')} />
        ) : (
          GROUPS.map((Group, index) => <Group key={index} view={view} />)
        )}
      </main>
      <aside class="side" aria-labelledby="figures-title" tabIndex={0}>
        <LayerAlerts info={info} />
        <FiguresTable view={view.body} />
        <DeepTable view={view.body} />
        <Notes info={info} />
      </aside>
    </div>
  );
}

/** The layers, and one of them at one step: before and after it, forward and backward. */
export function LayerSection() {
  return (
    <div class="body">
      <LayerList />
      <ChosenLayer />
    </div>
  );
}
