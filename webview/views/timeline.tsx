import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { widened } from '../charts/axes';
import { Canvas, type Draw } from '../charts/canvas';
import { lastFinite, nearestIndex } from '../charts/nearest';
import { hoveredStep } from '../charts/seriesChart';
import { Button } from '../controls/button';
import { formatCount, formatNumber } from '../format';
import { chooseStep, overview, stepChoice } from '../state/panel';
import { finite, numbers, type Numbers } from '../state/viewData';
import { text } from '../strings';
import { toCss } from '../theme/colour';

const LEFT = 58;
const RIGHT = 14;
const TOP = 9;
const BOTTOM = 19;

const xScale = (steps: Numbers, width: number) =>
  scaleLinear(widened([steps[0] ?? 0, steps[steps.length - 1] ?? 1]), [LEFT, width - RIGHT]);

function drawTimeline(steps: Numbers, loss: Numbers, selected: number | null): Draw {
  return ({ context, width, height }, palette) => {
    const x = xScale(steps, width);
    const [low = 0, high = 1] = extent(finite(loss));
    const y = scaleLinear(widened([low, high]), [height - BOTTOM, TOP]);

    context.fillStyle = toCss(palette.dim);
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    if (lastFinite(loss)) {
      context.fillText(formatNumber(high), LEFT - 8, TOP + 1);
      context.fillText(formatNumber(low), LEFT - 8, height - BOTTOM);
    }
    context.textBaseline = 'alphabetic';
    for (const tick of x.ticks(Math.max(2, Math.floor(width / 120)))) {
      if (!Number.isInteger(tick)) continue;
      const label = formatCount(tick);
      const half = context.measureText(label).width / 2;
      context.textAlign = 'center';
      context.fillText(label, Math.min(x(tick), width - half - 2), height - 4);
    }

    context.beginPath();
    let open = false;
    loss.forEach((value: number, i: number) => {
      const finite = Number.isFinite(value);
      if (finite && open) context.lineTo(x(steps[i] ?? 0), y(value));
      else if (finite) context.moveTo(x(steps[i] ?? 0), y(value));
      open = finite;
    });
    context.strokeStyle = toCss(palette.foreground, 0.75);
    context.lineWidth = 1.3;
    context.stroke();

    const hovered = hoveredStep.value;
    if (hovered !== null) {
      context.fillStyle = toCss(palette.foreground, 0.4);
      context.fillRect(Math.round(x(hovered)), TOP - 4, 1, height - BOTTOM - TOP + 8);
    }
    if (selected !== null) {
      const at = Math.round(x(selected));
      context.fillStyle = toCss(palette.foreground);
      context.fillRect(at - 1, TOP - 5, 2, height - BOTTOM - TOP + 10);
      context.beginPath();
      context.moveTo(at - 5, TOP - 9);
      context.lineTo(at + 5, TOP - 9);
      context.lineTo(at, TOP - 2);
      context.fill();
      const label = formatCount(selected);
      const right = at + 14 + context.measureText(label).width < width;
      context.textAlign = right ? 'left' : 'right';
      context.textBaseline = 'middle';
      context.fillText(label, at + (right ? 8 : -8), TOP);
    }
  };
}

/** Index to go to for a key; undefined for a key that moves nothing. */
function moved(key: string, index: number, count: number): number | undefined {
  const page = Math.max(1, Math.round(count / 10));
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return index - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return index + 1;
    case 'PageDown':
      return index - page;
    case 'PageUp':
      return index + page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** The loss over the whole run, with the step that everything else shows. */
export function Timeline() {
  const view = overview.value;
  const steps = view ? numbers(view, 'steps') : new Float64Array(0);
  const loss = view ? numbers(view, 'loss') : new Float32Array(0);
  const count = steps.length;
  const first = steps[0] ?? 0;
  const last = steps[count - 1] ?? 0;
  const live = stepChoice.value === 'live';
  const newest = count > 0 ? last : null;
  const shownStep = stepChoice.value === 'live' ? newest : stepChoice.value;
  const at = shownStep === null ? -1 : nearestIndex(steps, shownStep);
  const lossAt = at < 0 ? undefined : loss[at];

  const goTo = (index: number) => {
    if (count === 0) return;
    const step = steps[Math.max(0, Math.min(count - 1, index))];
    if (step !== undefined) chooseStep(index >= count - 1 ? 'live' : step);
  };
  const pointTo = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    goTo(nearestIndex(steps, xScale(steps, box.width).invert(event.clientX - box.left)));
  };
  void hoveredStep.value;
  return (
    <section class="timeline" aria-label={text('timeline')}>
      <div
        class="track"
        role="slider"
        tabIndex={0}
        aria-label={text('timeline')}
        aria-orientation="horizontal"
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={shownStep ?? first}
        aria-valuetext={
          shownStep === null
            ? text('timelineEmpty')
            : text('timelineValue', formatCount(shownStep), formatNumber(lossAt))
        }
        onKeyDown={(event) => {
          const next = moved(event.key, at, count);
          if (next === undefined) return;
          event.preventDefault();
          goTo(next);
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          pointTo(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) pointTo(event);
        }}
      >
        <span class="timeline-label">{text('lossCaption')}</span>
        <Canvas draw={drawTimeline(steps, loss, shownStep)} />
      </div>
      <Button pressed={live} hint={text('liveHint')} onPress={() => chooseStep('live')}>
        <span class="live-mark" aria-hidden="true" />
        {text('liveButton')}
      </Button>
    </section>
  );
}
