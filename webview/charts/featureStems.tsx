import { extent } from 'd3-array';
import { finite, type Numbers } from '../state/viewData';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { drawBottomTicks, drawLeftTicks, frameOf, GUTTER, type Range } from './axes';
import type { Draw, Surface } from './canvas';
import {
  drawFeatureMarks,
  eachFeature,
  featurePitch,
  featureScale,
  UNMARKED,
  type FeatureAxis,
  type FeatureMarks,
} from './featureAxis';
import { PressableFeatures, type FeatureChoice } from './pressableFeatures';

export interface FeatureStemsProps {
  readonly values: Numbers;
  /** Where each stem begins: the same for all, or one a feature. */
  readonly from: number | Numbers;
  readonly tone: 'before' | 'foreground';
  readonly axis: FeatureAxis;
}

function rangeOf({ values, from }: FeatureStemsProps): Range {
  const starts = typeof from === 'number' ? [from] : finite(from);
  const [low, high] = extent([...finite(values), ...starts]);
  if (low === undefined || high === undefined) return [-1, 1];
  const margin = (high - low) * 0.06;
  return [low - margin, high + margin];
}

function paintStems(
  surface: Surface,
  palette: Palette,
  props: FeatureStemsProps,
  marks: FeatureMarks,
): void {
  const { values, from, tone, axis } = props;
  const { context } = surface;
  const { y } = frameOf(surface, [0, 1], rangeOf(props));
  drawLeftTicks(surface, palette, y);
  const pitch = featurePitch(surface, axis);
  const mark = Math.max(1.5, Math.min(5, pitch - 1));
  const stem = Math.max(1, Math.min(2, pitch / 4));
  const each = (visit: (x: number, start: number, end: number) => void) =>
    eachFeature(surface, axis, (position, x) => {
      const start = typeof from === 'number' ? from : (from[position] ?? NaN);
      const value = values[position] ?? NaN;
      if (Number.isFinite(value) && Number.isFinite(start)) visit(x, y(start), y(value));
    });
  context.fillStyle = toCss(palette[tone], 0.5);
  each((x, start, end) =>
    context.fillRect(x - stem / 2, Math.min(start, end), stem, Math.abs(end - start)),
  );
  context.fillStyle = toCss(palette[tone]);
  each((x, _, end) => context.fillRect(x - mark / 2, end - mark / 2, mark, mark));
  if (typeof from !== 'number') {
    // A dash for what each is compared with.
    context.fillStyle = toCss(palette.foreground);
    each((x, start) => context.fillRect(x - mark / 2 - 1, start - 0.75, mark + 2, 1.5));
  } else {
    context.fillStyle = toCss(palette.dim);
    context.fillRect(
      GUTTER.left,
      Math.round(y(from)),
      surface.width - GUTTER.left - GUTTER.right,
      1,
    );
  }
  drawFeatureMarks(surface, palette, axis, marks);
  drawBottomTicks(surface, palette, featureScale(surface, axis), axis.title);
}

export const drawStems =
  (props: FeatureStemsProps, marks: FeatureMarks = UNMARKED): Draw =>
  (surface, palette) =>
    paintStems(surface, palette, props, marks);

/** One value a feature, as far as it is from where it begins. */
export function FeatureStems({ chosen, onChoose, ...props }: FeatureStemsProps & FeatureChoice) {
  return (
    <PressableFeatures
      axis={props.axis}
      drawWith={(marks) => drawStems(props, marks)}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}
