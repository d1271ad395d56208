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
import type { Side } from './figure';
import { PressableFeatures, type FeatureChoice } from './pressableFeatures';
import type { Profile } from './ranges';

export interface FeatureProfileProps {
  readonly side: Side;
  readonly profile: Profile;
  readonly range: Range;
  readonly axis: FeatureAxis;
}

function paintProfile(
  surface: Surface,
  palette: Palette,
  { side, profile, range, axis }: FeatureProfileProps,
  marks: FeatureMarks,
): void {
  const { context } = surface;
  const { mean, std, min, max } = profile;
  const { y } = frameOf(surface, [0, 1], range);
  drawLeftTicks(surface, palette, y);
  const plotTop = GUTTER.top;
  const plotBottom = surface.height - GUTTER.bottom;
  const clamp = (at: number) => Math.max(plotTop, Math.min(plotBottom, at));
  const pitch = featurePitch(surface, axis);
  const wide = Math.max(1, pitch - (pitch > 4 ? 1.5 : 0));
  const whisker = Math.max(1, Math.min(2, wide / 4));
  const colour = palette[side];
  const each = (visit: (position: number, x: number, mean: number, std: number) => void) =>
    eachFeature(surface, axis, (position, x) => {
      const [m = NaN, s = NaN] = [mean[position], std[position]];
      if (Number.isFinite(m) && Number.isFinite(s)) visit(position, x, m, s);
    });
  const bar = (x: number, from: number, to: number, width: number) => {
    const [top, bottom] = [clamp(y(to)), clamp(y(from))];
    context.fillRect(x - width / 2, top, width, Math.max(1, bottom - top));
  };
  context.fillStyle = toCss(colour, 0.28);
  each((i, x, m) => bar(x, min[i] ?? m, max[i] ?? m, whisker));
  context.fillStyle = toCss(colour, 0.45);
  each((_, x, m, s) => bar(x, m - s, m + s, wide));
  context.fillStyle = toCss(colour);
  each((_, x, m) => context.fillRect(x - wide / 2, clamp(y(m)) - 1, wide, 2));
  drawFeatureMarks(surface, palette, axis, marks);
  drawBottomTicks(surface, palette, featureScale(surface, axis), axis.title);
}

export const drawProfile =
  (props: FeatureProfileProps, marks: FeatureMarks = UNMARKED): Draw =>
  (surface, palette) =>
    paintProfile(surface, palette, props, marks);

/** Mean ± σ of every feature, minimum to maximum behind it. */
export function FeatureProfile({
  chosen,
  onChoose,
  ...props
}: FeatureProfileProps & FeatureChoice) {
  return (
    <PressableFeatures
      axis={props.axis}
      drawWith={(marks) => drawProfile(props, marks)}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}
