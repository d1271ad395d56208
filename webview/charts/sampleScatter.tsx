import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { drawBottomTicks, drawLeftTicks, frameOf, TITLE_ROOM } from './axes';
import { Canvas, type Surface } from './canvas';
import type { SampleRanges, Samples } from './ranges';
import type { Side } from './figure';

type AxisTitles = readonly [across: string, up: string];

function drawSamples(
  surface: Surface,
  palette: Palette,
  side: Side,
  { mean, std }: Samples,
  ranges: SampleRanges,
  axes: AxisTitles,
): void {
  const { context } = surface;
  const { x, y } = frameOf(surface, ranges.mean, ranges.std, TITLE_ROOM);
  drawLeftTicks(surface, palette, y);
  drawBottomTicks(surface, palette, x, axes[0]);
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillText(axes[1], 0, 0);
  const radius = mean.length > 1000 ? 1.6 : mean.length > 200 ? 2.2 : 3;
  context.fillStyle = toCss(palette[side], mean.length > 200 ? 0.45 : 0.65);
  context.strokeStyle = toCss(palette[side]);
  for (let i = 0; i < mean.length; i++) {
    const [m = NaN, s = NaN] = [mean[i], std[i]];
    if (!Number.isFinite(m) || !Number.isFinite(s)) continue;
    context.beginPath();
    if (side === 'before') context.rect(x(m) - radius, y(s) - radius, 2 * radius, 2 * radius);
    else context.arc(x(m), y(s), radius, 0, 2 * Math.PI);
    context.fill();
    if (mean.length <= 200) context.stroke();
  }
}

interface SampleScatterProps {
  readonly side: Side;
  readonly samples: Samples;
  readonly ranges: SampleRanges;
  readonly axes: AxisTitles;
}

/** Every sample of the batch by its mean (across) and its σ (up). */
export function SampleScatter({ side, samples, ranges, axes }: SampleScatterProps) {
  return (
    <Canvas
      draw={(surface, palette) => drawSamples(surface, palette, side, samples, ranges, axes)}
    />
  );
}
