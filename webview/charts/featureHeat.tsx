import { scaleLinear } from 'd3-scale';
import { formatCount, formatNumber } from '../format';
import type { Numbers } from '../state/viewData';
import { text } from '../strings';
import { mix, toCss, type Rgb } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { drawBottomTicks, GUTTER } from './axes';
import { Canvas, type Draw, type Surface } from './canvas';
import {
  drawFeatureMarks,
  featureAt,
  featureScale,
  hoveredFeature,
  UNMARKED,
  type FeatureAxis,
  type FeatureMarks,
} from './featureAxis';
import { featureByKey } from './featureKeys';
import type { Side } from './figure';
import { heatScale, placeOf } from './heatMapScale';
import { usePlotKeys } from './plotKeys';
import { Pointed, type Place } from './pointed';
import { hoveredStep } from './hoveredStep';

/** Room for the colour scale at the right end of the top edge. */
const LEGEND = { width: 72, height: 7, room: 20 } as const;
/** Rows of the image: a step may take several, and several steps one. */
const MOST_ROWS = 256;

export interface FeatureHeatProps {
  readonly side: Side;
  /** Steps of the rows, oldest first. */
  readonly steps: Numbers;
  /** [steps · features], by position in the view's vectors. */
  readonly values: Numbers;
  /** Values below 0 have a colour of their own. */
  readonly signed: boolean;
  readonly axis: FeatureAxis;
  readonly selectedStep: number | null;
}

/** Limits of the colours: those of the sizes, so that both signs have the same. */
function limitsOf(values: Numbers) {
  const sizes = values.map(Math.abs) as Numbers;
  return heatScale(sizes, false, true) ?? { log: false, low: 0, high: 1, largest: 1 };
}

/** From the ground by the side's colour to the foreground; below 0 by a grey. */
function colourOf(share: number, { background, foreground, ...tones }: Palette, side: Side): Rgb {
  const size = Math.min(1, Math.abs(share));
  if (share < 0) return mix(background, foreground, 0.08 + 0.8 * size);
  const tone = tones[side];
  return size < 0.7
    ? mix(mix(background, tone, 0.1), tone, size / 0.7)
    : mix(tone, foreground, (size - 0.7) / 0.36);
}

const SHADES = 128;

/** The cells as an image, a pixel a feature and at least one a step. */
function imageOf(props: FeatureHeatProps, palette: Palette): HTMLCanvasElement {
  const { side, steps, values, axis } = props;
  const columns = Math.max(1, axis.order.length);
  const rows = Math.max(1, Math.min(MOST_ROWS, steps.length));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [columns, rows];
  const context = canvas.getContext('2d');
  if (!context || steps.length === 0) return canvas;
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const shades = Uint32Array.from({ length: 2 * SHADES + 1 }, (_, i) => {
    const [red, green, blue] = colourOf((i - SHADES) / SHADES, palette, side);
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
  const scale = limitsOf(values);
  const width = values.length / steps.length;
  for (let row = 0; row < rows; row++) {
    const step = Math.floor(((row + 0.5) / rows) * steps.length);
    for (let column = 0; column < columns; column++) {
      const value = values[step * width + (axis.order[column] ?? NaN)] ?? NaN;
      if (Number.isNaN(value)) continue;
      const share = Math.min(1, placeOf(Math.abs(value), scale)) * Math.sign(value);
      pixels[row * columns + column] = shades[Math.round(share * SHADES) + SHADES] ?? 0;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

const rowScale = ({ height }: Pick<Surface, 'height'>, steps: Numbers) =>
  scaleLinear([0, Math.max(1, steps.length)], [LEGEND.room, height - GUTTER.bottom]);

function drawLegend(
  { context, width }: Surface,
  palette: Palette,
  { side, signed, values }: FeatureHeatProps,
): void {
  const { high, largest } = limitsOf(values);
  const right = width - GUTTER.right;
  context.textBaseline = 'top';
  context.textAlign = 'right';
  context.fillStyle = toCss(palette.dim);
  const most = (largest > high ? '≥ ' : '') + formatNumber(high);
  context.fillText(most, right, 0);
  const end = right - context.measureText(most).width - 6;
  const from = signed ? -1 : 0;
  for (let i = 0; i < LEGEND.width; i++) {
    const share = from + ((i + 0.5) / LEGEND.width) * (1 - from);
    context.fillStyle = toCss(colourOf(share, palette, side));
    context.fillRect(end - LEGEND.width + i, 3, 1.5, LEGEND.height);
  }
  context.fillStyle = toCss(palette.dim);
  context.fillText(signed ? formatNumber(-high) : '0', end - LEGEND.width - 6, 0);
}

/** Steps at the left: the first, the last, and between as many as there is room for. */
function drawSteps(surface: Surface, palette: Palette, props: FeatureHeatProps): void {
  const { context } = surface;
  const { steps } = props;
  const y = rowScale(surface, steps);
  context.fillStyle = toCss(palette.dim);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const labels = Math.max(1, Math.min(steps.length - 1, Math.floor((y.range()[1] ?? 0) / 44)));
  for (let i = 0; i <= labels; i++) {
    const row = Math.round((i / labels) * (steps.length - 1));
    context.fillText(formatCount(steps[row]), GUTTER.left - 6, y(row + 0.5));
  }
}

function paintHeat(
  surface: Surface,
  palette: Palette,
  props: FeatureHeatProps,
  image: HTMLCanvasElement,
  marks: FeatureMarks,
  hoveredRow: number | null,
): void {
  const { context, width } = surface;
  const { axis, steps, selectedStep } = props;
  const y = rowScale(surface, steps);
  const [top = 0, bottom = 0] = y.range();
  const across = width - GUTTER.left - GUTTER.right;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, GUTTER.left, top, across, bottom - top);
  const row = selectedStep === null ? -1 : steps.indexOf(selectedStep as never);
  for (const [at, alpha] of [
    [row, 0.9],
    [hoveredRow ?? -1, 0.5],
  ] as const) {
    if (at < 0) continue;
    context.strokeStyle = toCss(palette.foreground, alpha);
    context.lineWidth = 1;
    const height = Math.max(2, y(at + 1) - y(at));
    context.strokeRect(GUTTER.left - 0.5, y(at) - 0.5, across + 1, height + 1);
  }
  drawFeatureMarks(surface, palette, axis, marks);
  drawSteps(surface, palette, props);
  drawLegend(surface, palette, props);
  drawBottomTicks(surface, palette, featureScale(surface, axis), axis.title);
}

/** The image is made once for the same cells, however often marks move over it. */
function keptImage(props: FeatureHeatProps) {
  let kept: { readonly palette: Palette; readonly image: HTMLCanvasElement } | undefined;
  return (palette: Palette) => {
    if (kept?.palette !== palette) kept = { palette, image: imageOf(props, palette) };
    return kept.image;
  };
}

const images = new WeakMap<Numbers, { axis: FeatureAxis; image: ReturnType<typeof keptImage> }>();

function imageFor(props: FeatureHeatProps): ReturnType<typeof keptImage> {
  const known = images.get(props.values);
  if (known && known.axis.order === props.axis.order) return known.image;
  const image = keptImage(props);
  images.set(props.values, { axis: props.axis, image });
  return image;
}

export const drawFeatureHeat =
  (
    props: FeatureHeatProps,
    marks: FeatureMarks = UNMARKED,
    hoveredRow: number | null = null,
  ): Draw =>
  (surface, palette) =>
    paintHeat(surface, palette, props, imageFor(props)(palette), marks, hoveredRow);

/** The row at a place; null beside the map. */
function rowAt(place: Place, steps: Numbers): number | null {
  const row = Math.floor(rowScale(place, steps).invert(place.y));
  return row >= 0 && row < steps.length ? row : null;
}

interface PressableProps extends FeatureHeatProps {
  readonly chosen: number | null;
  /** Of a step where one was pressed. */
  readonly onChoose: (feature: number, step: number | null) => void;
}

/** A statistic of every feature (across) over steps (downwards, as the ridges go). */
export function FeatureHeat({ chosen, onChoose, ...props }: PressableProps) {
  const { steps, axis } = props;
  usePlotKeys((event) => {
    const feature = featureByKey(event, axis, chosen);
    if (feature !== undefined) onChoose(feature, null);
    return feature !== undefined;
  }, text('featureKeys'));
  const row = hoveredStep.value === null ? null : steps.indexOf(hoveredStep.value as never);
  const marks = { hovered: hoveredFeature.value, chosen };
  return (
    <Pointed
      onPoint={(place) => {
        hoveredFeature.value = place && featureAt(place, axis);
        hoveredStep.value = (place && steps[rowAt(place, steps) ?? -1]) ?? null;
      }}
      onPress={(place) => {
        const [feature, step] = [featureAt(place, axis), steps[rowAt(place, steps) ?? -1]];
        if (feature !== null && step !== undefined) onChoose(feature, step);
      }}
    >
      <Canvas draw={drawFeatureHeat(props, marks, row)} />
    </Pointed>
  );
}
