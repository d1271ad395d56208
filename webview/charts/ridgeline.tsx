import { quantile } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { formatCount } from '../format';
import type { Numbers } from '../state/viewData';
import { toCss, type Rgb } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { bottomTicks, drawBottomTicks, GUTTER, widened, type Range } from './axes';
import { Canvas, type Draw, type Surface } from './canvas';
import type { Side } from './figure';

/** Distance of two ridges at most, in CSS pixels; with few steps they gather at the bottom. */
const SPACING = 26;
/** Height of the usual peak in CSS pixels. */
const PEAK = 36;
/** How much higher than usual a peak may stand. */
const OVERSHOOT = 2;
/** A density below this share of the usual peak leaves no line: the tails stay clean. */
const VISIBLE = 0.004;

export interface Ridges {
  readonly side: Side;
  readonly range: Range;
  /** Steps of the ridges, oldest first. */
  readonly steps: Numbers;
  /** Densities, one row of `selected.length` a step. */
  readonly densities: Numbers;
  /** The selected step's own density. */
  readonly selected: Numbers;
  readonly selectedStep: number;
  /** What the value axis is called. */
  readonly axis: string;
}

interface Ridge {
  readonly step: number;
  readonly density: Numbers;
}

/** The ridges up to the selected step, with that step as the last. */
function ordered({ steps, densities, selected, selectedStep }: Ridges): Ridge[] {
  const points = selected.length;
  const older = Array.from(steps, (step, i) => ({
    step,
    density: densities.subarray(i * points, (i + 1) * points),
  })).filter(({ step }) => step < selectedStep);
  return [...older, { step: selectedStep, density: selected }];
}

/** Height of a usual peak, so that one spike does not flatten the rest much. */
function usualPeak(ridges: readonly Ridge[]): number {
  const peaks = ridges.map(({ density }) => Math.max(0, ...density)).filter((peak) => peak > 0);
  return Math.max(quantile(peaks, 0.8) ?? 1, Math.max(0, ...peaks) / 3);
}

interface Geometry {
  readonly at: (index: number) => number;
  readonly height: (value: number) => number;
  /** Density below which no line is drawn. */
  readonly visible: number;
}

/**
 * A smooth line through the middles of neighbouring cells: it adds no peak and no dip. Unless the
 * `whole` outline is asked for, it leaves out the empty tails.
 */
function outline(
  context: Surface['context'],
  density: Numbers,
  baseline: number,
  { at, height, visible }: Geometry,
  whole: boolean,
): void {
  const y = (i: number) => baseline - height(density[i] ?? 0);
  const above = (value: number) => value > visible;
  const first = whole ? 0 : Math.max(0, density.findIndex(above) - 1);
  const last = whole
    ? density.length - 1
    : Math.min(density.length - 1, density.findLastIndex(above) + 1);
  context.beginPath();
  context.moveTo(at(first), y(first));
  for (let i = first + 1; i < last; i++) {
    context.quadraticCurveTo(at(i), y(i), (at(i) + at(i + 1)) / 2, (y(i) + y(i + 1)) / 2);
  }
  if (last > first) context.lineTo(at(last), y(last));
}

function drawRidge(
  { context }: Surface,
  palette: Palette,
  colour: Rgb,
  ridge: Ridge,
  baseline: number,
  age: number,
  geometry: Geometry,
): void {
  const last = age === 1;
  const { at } = geometry;
  outline(context, ridge.density, baseline, geometry, true);
  context.lineTo(at(ridge.density.length - 1), baseline);
  context.lineTo(at(0), baseline);
  context.closePath();
  context.fillStyle = toCss(palette.background);
  context.fill();
  context.fillStyle = toCss(colour, last ? 0.42 : 0.06 + 0.2 * age);
  context.fill();
  outline(context, ridge.density, baseline, geometry, false);
  context.strokeStyle = toCss(colour, last ? 1 : 0.35 + 0.5 * age);
  context.lineWidth = last ? 1.8 : 1;
  context.stroke();
}

function paintRidges(surface: Surface, palette: Palette, data: Ridges): void {
  const { context, width, height } = surface;
  const x = scaleLinear(widened(data.range), [GUTTER.left, width - GUTTER.right]);
  const ridges = ordered(data);
  const bottom = height - GUTTER.bottom - 1;
  const room = bottom - GUTTER.top - PEAK * OVERSHOOT;
  const spacing = Math.min(SPACING, room / Math.max(1, ridges.length - 1));
  const usual = usualPeak(ridges);
  const points = data.selected.length;
  const at = (i: number) =>
    GUTTER.left + ((i + 0.5) / points) * (width - GUTTER.left - GUTTER.right);
  const geometry: Geometry = {
    at,
    height: (value) => Math.min((value / usual) * PEAK, PEAK * OVERSHOOT),
    visible: usual * VISIBLE,
  };

  context.strokeStyle = toCss(palette.line);
  context.lineWidth = 1;
  for (const tick of bottomTicks(width, x)) {
    const line = Math.round(x(tick)) + 0.5;
    context.beginPath();
    context.moveTo(line, GUTTER.top);
    context.lineTo(line, bottom);
    context.stroke();
  }
  let labelled = Infinity;
  ridges.forEach((ridge, i) => {
    const age = ridges.length === 1 ? 1 : i / (ridges.length - 1);
    const baseline = bottom - (ridges.length - 1 - i) * spacing;
    drawRidge(surface, palette, palette[data.side], ridge, baseline, age, geometry);
  });
  // Labels from the selected step upwards, so that it is always named.
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let i = ridges.length - 1; i >= 0; i--) {
    const baseline = bottom - (ridges.length - 1 - i) * spacing;
    const gap = i === 0 ? 14 : 40;
    if (labelled - baseline < gap && i !== ridges.length - 1) continue;
    labelled = baseline;
    context.fillStyle = toCss(i === ridges.length - 1 ? palette.foreground : palette.dim);
    context.fillText(formatCount(ridges[i]?.step), GUTTER.left - 6, baseline - 2);
  }
  drawBottomTicks(surface, palette, x, data.axis);
}

/** Distributions over steps: the oldest at the top, the selected one at the bottom. */
export const drawRidges =
  (data: Ridges): Draw =>
  (surface, palette) =>
    paintRidges(surface, palette, data);

export function Ridgeline(data: Ridges) {
  return <Canvas draw={drawRidges(data)} />;
}
