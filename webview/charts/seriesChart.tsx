import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { stepRange } from '../state/runs';
import type { Numbers } from '../state/viewData';
import { text } from '../strings';
import { palette } from '../theme/palette';
import { isDrawable, type LineStyle } from './seriesGeometry';
import { usePlotKeys } from './plotKeys';
import { seriesOptions } from './seriesOptions';
import { zoomByKey } from './seriesZoom';

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

/** uPlot leaves a gap at null. */
function drawable(values: Numbers, log: boolean): (number | null)[] {
  return Array.from(values, (value) => (isDrawable(value, log) ? value : null));
}

function dataOf({ steps, lines, band, log = false }: SeriesChartProps): uPlot.AlignedData {
  const rows = [...lines.map((line) => line.values), ...(band ? [band] : [])];
  return [Array.from(steps), ...rows.map((row) => drawable(row, log))];
}

/**
 * Lines over steps with a cursor and a zoom that all such charts share. A click chooses the step, a
 * drag zooms.
 */
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

  usePlotKeys((event) => zoomByKey(event, latest.current.selectedStep), text('zoomKeys'));

  const { steps, selectedStep } = props;
  const range = stepRange.value;
  const rows = lines.map(({ values }) => values);
  useLayoutEffect(() => {
    chart.current?.setData(dataOf(latest.current));
  }, [steps, selectedStep, band, range, ...rows]);

  return <div class="series" ref={host} />;
}
