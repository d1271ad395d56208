import type { LayerView } from '../../../extension/protocol/views';
import { numbers, type Loaded } from '../../state/viewData';
import { StepChart, type StepFigures } from './stepChart';

/** Whether a layer has any of a chart's figures at all. */
const hasFigures = (view: Loaded<LayerView>, { lines }: StepFigures) =>
  lines.some(({ tensor }) => numbers(view, tensor).some(Number.isFinite));

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
