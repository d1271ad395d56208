import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Numbers } from '../state/viewData';
import { palette } from '../theme/palette';
import { seriesOptions, type LineStyle } from './seriesOptions';

/** The step under the pointer, in whichever chart over steps it is. */
export const hoveredStep = signal<number | null>(null);

export interface Line extends LineStyle {
  readonly values: Numbers;
}

export interface SeriesChartProps {
  readonly steps: Numbers;
  readonly lines: readonly Line[];
  /** Upper edge of a band that begins at 0. */
  readonly band?: Numbers;
  readonly log?: boolean;
  readonly zero?: boolean;
  /** What the value axis counts. */
  readonly unit?: string;
  readonly selectedStep: number | null;
  readonly onChoose: (step: number) => void;
}

/** uPlot leaves a gap at null; a logarithmic axis has no place for 0 and below. */
function drawable(values: Numbers, log: boolean): (number | null)[] {
  return Array.from(values, (value) =>
    Number.isFinite(value) && (!log || value > 0) ? value : null,
  );
}

function dataOf({ steps, lines, band, log = false }: SeriesChartProps): uPlot.AlignedData {
  const rows = [...lines.map((line) => line.values), ...(band ? [band] : [])];
  return [Array.from(steps), ...rows.map((row) => drawable(row, log))];
}

/** Lines over steps with a cursor that all such charts share. A click chooses the step. */
export function SeriesChart(props: SeriesChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const colours = palette.value;
  const { lines, band, log = false, zero = false, unit = '' } = props;
  const shape = `${lines.map(({ label, tone }) => label + tone).join()} ${!!band} ${log} ${zero} ${unit}`;

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const size = () => ({
      width: Math.max(80, element.clientWidth),
      height: Math.max(60, element.clientHeight),
    });
    const stepAt = (index: number | null) =>
      index === null ? null : (latest.current.steps[index] ?? null);
    const created = new uPlot(
      {
        ...size(),
        ...seriesOptions({
          lines: latest.current.lines,
          band: latest.current.band !== undefined,
          log,
          zero,
          unit,
          palette: colours,
          selectedStep: () => latest.current.selectedStep,
          onHover: (index) => {
            hoveredStep.value = stepAt(index);
          },
          onChoose: (index) => {
            const step = stepAt(index);
            if (step !== null) latest.current.onChoose(step);
          },
        }),
      },
      dataOf(latest.current),
      element,
    );
    chart.current = created;
    const observer = new ResizeObserver(() => {
      const { width, height } = size();
      if (width !== created.width || height !== created.height) created.setSize({ width, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
      chart.current = null;
    };
  }, [colours, shape]);

  const { steps, selectedStep } = props;
  const rows = lines.map(({ values }) => values);
  useLayoutEffect(() => {
    chart.current?.setData(dataOf(latest.current));
  }, [steps, selectedStep, band, ...rows]);

  return <div class="series" ref={host} />;
}
