import { signal } from '@preact/signals';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { GUTTER } from './axes';
import type { Surface } from './canvas';
import type { Place } from './pointed';

/** The feature under the pointer, in whichever chart it is. */
export const hoveredFeature = signal<number | null>(null);

/** Which feature stands where along the axis of a chart. */
export interface FeatureAxis {
  /** Positions in the view's vectors, from left to right. */
  readonly order: Uint32Array;
  /** Features from one position of the vectors to the next. */
  readonly stride: number;
  /** What the axis counts. */
  readonly title: string;
}

/** Features to mark. */
export interface FeatureMarks {
  readonly hovered: number | null;
  readonly chosen: number | null;
}

export const UNMARKED: FeatureMarks = { hovered: null, chosen: null };

/** Maps 0 … count · stride, the axis' own numbers, onto the plot. */
export const featureScale = (
  { width }: Surface,
  { order, stride }: FeatureAxis,
): ScaleLinear<number, number> =>
  scaleLinear([0, Math.max(1, order.length * stride)], [GUTTER.left, width - GUTTER.right]);

/** The feature at a place of the chart; null beside the plot. */
export function featureAt({ x, width }: Place, { order, stride }: FeatureAxis): number | null {
  const share = (x - GUTTER.left) / (width - GUTTER.left - GUTTER.right);
  if (share < 0 || share >= 1) return null;
  const position = order[Math.floor(share * order.length)];
  return position === undefined ? null : position * stride;
}

/** Calls back for each feature from left to right, with the middle of its place in CSS pixels. */
export function eachFeature(
  surface: Surface,
  axis: FeatureAxis,
  visit: (position: number, x: number) => void,
): void {
  const x = featureScale(surface, axis);
  axis.order.forEach((position, place) => visit(position, x((place + 0.5) * axis.stride)));
}

/** Width of one feature's place in CSS pixels. */
export const featurePitch = ({ width }: Surface, { order }: FeatureAxis): number =>
  (width - GUTTER.left - GUTTER.right) / Math.max(1, order.length);

/** Lines through the feature under the pointer, and the chosen one with a small mark above it. */
export function drawFeatureMarks(
  surface: Surface,
  palette: Palette,
  axis: FeatureAxis,
  { hovered, chosen }: FeatureMarks,
): void {
  const { context, height } = surface;
  const x = featureScale(surface, axis);
  const at = (feature: number) => {
    const place = axis.order.indexOf(Math.floor(feature / axis.stride));
    return place < 0 ? null : Math.round(x((place + 0.5) * axis.stride));
  };
  const bottom = height - GUTTER.bottom;
  const line = (feature: number | null, alpha: number) => {
    const middle = feature === null ? null : at(feature);
    if (middle === null) return null;
    context.fillStyle = toCss(palette.foreground, alpha);
    context.fillRect(middle, GUTTER.top, 1, bottom - GUTTER.top);
    return middle;
  };
  line(hovered, 0.6);
  const middle = line(chosen, 0.35);
  if (middle === null) return;
  context.fillStyle = toCss(palette.foreground);
  context.beginPath();
  context.moveTo(middle - 4, 1);
  context.lineTo(middle + 5, 1);
  context.lineTo(middle + 0.5, GUTTER.top);
  context.fill();
}
