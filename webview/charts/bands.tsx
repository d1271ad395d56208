import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { BAND_QUANTILES } from '../../extension/protocol/views';
import { finite, type Numbers } from '../state/viewData';
import { text } from '../strings';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { drawLeftTicks, GUTTER, TITLE_ROOM, widened, type Range } from './axes';
import { Canvas, type Draw, type Surface } from './canvas';
import type { Side } from './figure';
import { nearestIndex } from './nearest';
import { usePlotKeys } from './plotKeys';
import { Pointed, type Place } from './pointed';
import { hoveredStep } from './hoveredStep';
import { zoomByKey } from './seriesZoom';
import { SELECTED_ALPHA, shownSteps, stepLabel, TICK_SPACE } from './seriesGeometry';

/** Number of percentiles of a step. */
const WIDTH = BAND_QUANTILES.length;
const MEDIAN = (WIDTH - 1) / 2;

export interface BandsProps {
  readonly side: Side;
  readonly steps: Numbers;
  /** The percentiles of each step, {@link BAND_QUANTILES} in a row. */
  readonly bands: Numbers;
  readonly range: Range;
  readonly selectedStep: number | null;
  /** What the axes count. */
  readonly titles: readonly [across: string, up: string];
}

/** Values that hold all bands. */
export function bandRange(sets: readonly Numbers[]): Range {
  const [low = -1, high = 1] = extent(sets.flatMap(finite));
  const margin = (high - low) * 0.04;
  return [low - margin, high + margin];
}

const stepScale = ({ width }: Pick<Surface, 'width'>, steps: Numbers) =>
  scaleLinear(shownSteps(null, steps[0] ?? 0, steps.at(-1) ?? 0), [
    GUTTER.left,
    width - GUTTER.right,
  ]);

function paintBands(
  surface: Surface,
  palette: Palette,
  { side, steps, bands, range, selectedStep, titles }: BandsProps,
  hovered: number | null,
): void {
  const { context, width, height } = surface;
  const x = stepScale(surface, steps);
  const bottom = height - GUTTER.bottom;
  const y = scaleLinear(widened(range), [bottom, TITLE_ROOM]);
  drawLeftTicks(surface, palette, y);
  const at = (row: number, quantile: number) => bands[row * WIDTH + quantile] ?? NaN;
  const known = Array.from(steps, (_, row) => row).filter((row) => Number.isFinite(at(row, 0)));
  const line = (quantile: number, rows: readonly number[], first: boolean) =>
    rows.forEach((row, i) => {
      const [left, top] = [x(steps[row] ?? NaN), y(at(row, quantile))];
      if (first && i === 0) context.moveTo(left, top);
      else context.lineTo(left, top);
    });
  for (let edge = 0; edge < MEDIAN; edge++) {
    context.beginPath();
    line(edge, known, true);
    line(WIDTH - 1 - edge, [...known].reverse(), false);
    context.closePath();
    context.fillStyle = toCss(palette[side], 0.16 + 0.1 * edge);
    context.fill();
  }
  context.beginPath();
  line(MEDIAN, known, true);
  context.strokeStyle = toCss(palette[side]);
  context.lineWidth = 1.8;
  context.stroke();

  const mark = (step: number | null, alpha: number) => {
    const [first = 0, last = 0] = x.domain();
    if (step === null || step < first || step > last) return;
    context.fillStyle = toCss(palette.foreground, alpha);
    context.fillRect(Math.round(x(step)), TITLE_ROOM, 1, bottom - TITLE_ROOM);
  };
  mark(selectedStep, SELECTED_ALPHA);
  mark(hovered, 0.4);
  context.fillStyle = toCss(palette.dim);
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillText(titles[1], 0, 0);
  context.textAlign = 'right';
  context.fillText(titles[0], width - GUTTER.right, bottom + 5);
  const end = width - GUTTER.right - context.measureText(titles[0]).width - 8;
  context.textAlign = 'center';
  for (const tick of x.ticks(Math.max(2, Math.floor(width / TICK_SPACE.x)))) {
    const label = stepLabel(tick);
    const fits = x(tick) + context.measureText(label).width / 2 <= end;
    if (Number.isInteger(tick) && fits) context.fillText(label, x(tick), bottom + 5);
  }
}

export const drawBands =
  (props: BandsProps, hovered: number | null = null): Draw =>
  (surface, palette) =>
    paintBands(surface, palette, props, hovered);

/** Percentiles over steps: median, middle half, 5 to 95 and 1 to 99 %. */
export function Bands({
  onChoose,
  ...props
}: BandsProps & { readonly onChoose: (step: number) => void }) {
  usePlotKeys((event) => zoomByKey(event, props.selectedStep), text('zoomKeys'));
  const stepAt = ({ x, width }: Place) => {
    const { steps } = props;
    return steps[nearestIndex(steps, stepScale({ width }, steps).invert(x))] ?? null;
  };
  return (
    <Pointed
      onPoint={(place) => {
        hoveredStep.value = place && stepAt(place);
      }}
      onPress={(place) => {
        const step = stepAt(place);
        if (step !== null) onChoose(step);
      }}
    >
      <Canvas draw={drawBands(props, hoveredStep.value)} />
    </Pointed>
  );
}
