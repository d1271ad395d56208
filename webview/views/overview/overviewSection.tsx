import { heat } from '../../state/model';
import { run } from '../../state/panel';
import { text } from '../../strings';
import { Connecting, Waiting } from '../frame/emptyState';
import { AlertList } from './alertList';
import { HeatFigure } from './heatFigure';

function Map() {
  const view = heat.value;
  if (!view) return <Connecting />;
  if ((view.tensors.steps?.length ?? 0) > 0) return <HeatFigure view={view} />;
  return (
    <Waiting title={text('noStepTitle', run.value?.program ?? '')} body={text('noStepText')} />
  );
}

/** All layers over all steps, and what is out of the ordinary. */
export function OverviewSection() {
  return (
    <div class="content overview">
      <main class="main">
        <h2 class="spoken">{text('sectionOverview')}</h2>
        <Map />
      </main>
      <AlertList />
    </div>
  );
}
