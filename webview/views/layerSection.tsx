import { layer } from '../state/panel';
import { text } from '../strings';
import { DistributionCharts } from './distributionCharts';
import { Connecting, Waiting } from './emptyState';
import { FiguresTable } from './figuresTable';
import { LayerHeader, sameAxes } from './layerHeader';
import { Notes } from './notes';
import { ProfileCharts } from './profileCharts';
import { SeriesCharts } from './seriesCharts';

/** One layer at one step: before and after it, forward and backward. */
export function LayerSection() {
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
          <>
            <div class="charts pair">
              <DistributionCharts view={view} />
            </div>
            <div class="charts pair">
              <ProfileCharts view={view} shared={sameAxes.value} />
            </div>
            <SeriesCharts view={view} />
          </>
        )}
      </main>
      <aside class="side" aria-labelledby="figures-title">
        <FiguresTable view={view.body} />
        <Notes info={info} />
      </aside>
    </div>
  );
}
