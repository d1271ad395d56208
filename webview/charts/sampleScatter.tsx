import { text } from '../strings';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { drawBottomTicks, drawLeftTicks, frameOf, TITLE_ROOM, type Frame } from './axes';
import { Canvas, type Draw, type Surface } from './canvas';
import { movedPlace } from './featureKeys';
import type { Side } from './figure';
import { usePlotKeys } from './plotKeys';
import { Pointed, type Place } from './pointed';
import type { SampleRanges, Samples } from './ranges';

type AxisTitles = readonly [across: string, up: string];

export interface SampleScatterProps {
  readonly side: Side;
  readonly samples: Samples;
  readonly ranges: SampleRanges;
  readonly axes: AxisTitles;
}

/** How near the pointer must be to a sample to mean it, in CSS pixels. */
const REACH = 24;

const scales = (size: Pick<Surface, 'width' | 'height'>, { mean, std }: SampleRanges): Frame =>
  frameOf(size, mean, std, TITLE_ROOM);

function paintSamples(
  surface: Surface,
  palette: Palette,
  { side, samples: { mean, std }, ranges, axes }: SampleScatterProps,
  chosen: number | null,
): void {
  const { context } = surface;
  const { x, y } = scales(surface, ranges);
  drawLeftTicks(surface, palette, y);
  drawBottomTicks(surface, palette, x, axes[0]);
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillText(axes[1], 0, 0);
  const radius = mean.length > 1000 ? 1.6 : mean.length > 200 ? 2.2 : 3;
  const outline = (m: number, s: number, r: number) => {
    context.beginPath();
    if (side === 'before') context.rect(x(m) - r, y(s) - r, 2 * r, 2 * r);
    else context.arc(x(m), y(s), r, 0, 2 * Math.PI);
  };
  context.fillStyle = toCss(palette[side], mean.length > 200 ? 0.45 : 0.65);
  context.strokeStyle = toCss(palette[side]);
  context.lineWidth = 1;
  for (let i = 0; i < mean.length; i++) {
    const [m = NaN, s = NaN] = [mean[i], std[i]];
    if (!Number.isFinite(m) || !Number.isFinite(s)) continue;
    outline(m, s, radius);
    context.fill();
    if (mean.length <= 200) context.stroke();
  }
  const [m = NaN, s = NaN] = chosen === null ? [] : [mean[chosen], std[chosen]];
  if (!Number.isFinite(m) || !Number.isFinite(s)) return;
  context.strokeStyle = toCss(palette.foreground);
  context.lineWidth = 1.5;
  outline(m, s, radius + 3);
  context.stroke();
}

export const drawSamples =
  (props: SampleScatterProps, chosen: number | null = null): Draw =>
  (surface, palette) =>
    paintSamples(surface, palette, props, chosen);

/** The sample nearest to a place of the chart; null where none is near. */
function sampleAt(place: Place, { samples: { mean, std }, ranges }: SampleScatterProps) {
  const { x, y } = scales(place, ranges);
  let [best, nearest] = [-1, REACH];
  for (let i = 0; i < mean.length; i++) {
    const distance = Math.hypot(x(mean[i] ?? NaN) - place.x, y(std[i] ?? NaN) - place.y);
    if (distance < nearest) [best, nearest] = [i, distance];
  }
  return best < 0 ? null : best;
}

interface PressableProps extends SampleScatterProps {
  readonly chosen: number | null;
  readonly onChoose: (sample: number) => void;
  readonly onPoint: (sample: number | null) => void;
}

/** Every sample of the batch by its mean (across) and its σ (up). */
export function SampleScatter({ chosen, onChoose, onPoint, ...props }: PressableProps) {
  usePlotKeys((event) => {
    const sample = movedPlace(event.key, chosen ?? -1, props.samples.mean.length);
    if (sample !== undefined) onChoose(sample);
    return sample !== undefined;
  }, text('sampleKeys'));
  return (
    <Pointed
      onPoint={(place) => onPoint(place && sampleAt(place, props))}
      onPress={(place) => {
        const sample = sampleAt(place, props);
        if (sample !== null) onChoose(sample);
      }}
    >
      <Canvas draw={drawSamples(props, chosen)} />
    </Pointed>
  );
}
