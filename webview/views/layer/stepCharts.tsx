import type { LayerView } from '../../../extension/protocol/views';
import { numbers, type Loaded } from '../../state/viewData';
import { StepChart, type StepFigures } from './stepChart';

/** Charts that had figures once, by run and layer: they stay where the shown steps have none. */
const known = new Set<string>();

/** Whether a layer has any of a chart's figures at all. */
function hasFigures(view: Loaded<LayerView>, { id, lines }: StepFigures): boolean {
  const { run, info } = view.body;
  const key = JSON.stringify([run.id, info.id, id]);
  if (lines.some(({ tensor }) => numbers(view, tensor).some(Number.isFinite))) known.add(key);
  return known.has(key);
}

interface StepChartsProps {
  readonly view: Loaded<LayerView>;
  readonly charts: readonly StepFigures[];
  readonly columns: 'pair' | 'triple';
}

/** Charts over steps side by side, without those of which the layer has no figure. */
export function StepCharts({ view, charts, columns }: StepChartsProps) {
  return (
    <div class={`charts ${columns}`}>
      {charts
        .filter((chart) => hasFigures(view, chart))
        .map((chart) => (
          <StepChart key={chart.id} view={view} chart={chart} />
        ))}
    </div>
  );
}
