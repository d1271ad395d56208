import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { stepRange } from '../state/runs';
import type { Numbers } from '../state/viewData';
import { text } from '../strings';
import { palette } from '../theme/palette';
import { hoveredStep } from './hoveredStep';
import { isDrawable, type LineStyle } from './seriesGeometry';
import { useSight } from './sight';
import { usePlotKeys } from './plotKeys';
import { seriesOptions } from './seriesOptions';
import { zoomByKey } from './seriesZoom';

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

const sizeOf = (width: number, height: number) => ({
  width: Math.max(80, width),
  height: Math.max(60, height),
});

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
  const { near, width, height } = useSight(host);
  // Made when it comes into sight, and kept from then on.
  const seen = useRef(false);
  seen.current ||= near;
  const latest = useRef(props);
  latest.current = props;
  const colours = palette.value;
  const { lines, band, log = false, zero = false, unit = '' } = props;
  const shape = `${lines.map(({ label, tone }) => label + tone).join()} ${!!band} ${log} ${zero} ${unit}`;

  useEffect(() => {
    const element = host.current;
    if (!element || !seen.current) return undefined;
    const stepAt = (index: number | null) =>
      index === null ? null : (latest.current.steps[index] ?? null);
    const created = new uPlot(
      {
        ...sizeOf(width, height),
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
    return () => {
      created.destroy();
      chart.current = null;
    };
  }, [colours, shape, seen.current]);

  useLayoutEffect(() => {
    const [created, size] = [chart.current, sizeOf(width, height)];
    if (!created || (size.width === created.width && size.height === created.height)) return;
    created.setSize(size);
  }, [width, height]);

  usePlotKeys((event) => zoomByKey(event, latest.current.selectedStep), text('zoomKeys'));

  const { steps, selectedStep } = props;
  const range = stepRange.value;
  const rows = lines.map(({ values }) => values);
  useLayoutEffect(() => {
    if (near) chart.current?.setData(dataOf(latest.current));
  }, [near, steps, selectedStep, band, range, ...rows]);

  return <div class="series" ref={host} />;
}
