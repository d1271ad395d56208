import { signal } from '@preact/signals';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { drawBottomTicks, drawLeftTicks, frameOf, GUTTER, type Range } from './axes';
import { Canvas, type Surface } from './canvas';
import type { Profile } from './ranges';
import type { Side } from './figure';

/** Position in the profile under the pointer, in whichever of the two charts it is. */
export const hoveredFeature = signal<number | null>(null);

function drawProfile(
  surface: Surface,
  palette: Palette,
  side: Side,
  { mean, std, min, max }: Profile,
  range: Range,
  stride: number,
  axis: string,
): void {
  const { context } = surface;
  const count = mean.length;
  const { x, y } = frameOf(surface, [0, count * stride], range);
  drawLeftTicks(surface, palette, y);
  const plotTop = GUTTER.top;
  const plotBottom = surface.height - GUTTER.bottom;
  const clamp = (at: number) => Math.max(plotTop, Math.min(plotBottom, at));
  const pitch = (x(count * stride) - x(0)) / count;
  const wide = Math.max(1, pitch - (pitch > 4 ? 1.5 : 0));
  const whisker = Math.max(1, Math.min(2, wide / 4));
  const colour = palette[side];
  const bar = (i: number, from: number, to: number, width: number) => {
    const [top, bottom] = [clamp(y(to)), clamp(y(from))];
    context.fillRect(x((i + 0.5) * stride) - width / 2, top, width, Math.max(1, bottom - top));
  };
  const each = (visit: (i: number, mean: number, std: number) => void) => {
    for (let i = 0; i < count; i++) {
      const [m = NaN, s = NaN] = [mean[i], std[i]];
      if (Number.isFinite(m) && Number.isFinite(s)) visit(i, m, s);
    }
  };
  context.fillStyle = toCss(colour, 0.28);
  each((i, m) => bar(i, min[i] ?? m, max[i] ?? m, whisker));
  context.fillStyle = toCss(colour, 0.45);
  each((i, m, s) => bar(i, m - s, m + s, wide));
  context.fillStyle = toCss(colour);
  each((i, m) => {
    context.fillRect(x((i + 0.5) * stride) - wide / 2, clamp(y(m)) - 1, wide, 2);
  });
  const hovered = hoveredFeature.value;
  if (hovered !== null && hovered < count) {
    context.fillStyle = toCss(palette.foreground, 0.6);
    context.fillRect(Math.round(x((hovered + 0.5) * stride)), plotTop, 1, plotBottom - plotTop);
  }
  drawBottomTicks(surface, palette, x, axis);
}

interface FeatureProfileProps {
  readonly side: Side;
  readonly profile: Profile;
  readonly range: Range;
  /** Features from one bar to the next. */
  readonly stride: number;
  /** What the horizontal axis is called. */
  readonly axis: string;
}

/** Mean ± σ of every feature, minimum to maximum behind it. */
export function FeatureProfile({ side, profile, range, stride, axis }: FeatureProfileProps) {
  const count = profile.mean.length;
  const point = (at: number | null, width: number) => {
    const share = at === null ? -1 : (at - GUTTER.left) / (width - GUTTER.left - GUTTER.right);
    const inside = share >= 0 && share < 1 && count > 0;
    hoveredFeature.value = inside ? Math.floor(share * count) : null;
  };
  void hoveredFeature.value;
  return (
    <Canvas
      draw={(surface, palette) => drawProfile(surface, palette, side, profile, range, stride, axis)}
      onPointer={point}
    />
  );
}
