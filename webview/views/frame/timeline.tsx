import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Canvas } from '../../charts/canvas';
import { nearestIndex } from '../../charts/nearest';
import { hoveredStep } from '../../charts/hoveredStep';
import { between } from '../../charts/stepZoom';
import { Button } from '../../controls/button';
import { formatCount, formatNumber } from '../../format';
import { overview, run } from '../../state/panel';
import { chooseStep, stepChoice, stepRange, zoomTo } from '../../state/runs';
import { numbers } from '../../state/viewData';
import { wholeRun } from '../../state/wholeRun';
import { text } from '../../strings';
import { alerts, MOST_MARKS } from '../alerts/alertMarks';
import { drawTimeline, timelineScale } from './timelineDrawing';
import { TimelineRange } from './timelineRange';

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

/** Follows the newest step; of a run that is over, where nothing follows, it leads to the last. */
function NewestButton() {
  const phase = run.value?.phase;
  if (phase === 'ended' || phase === 'disconnected') {
    return (
      <Button hint={text('lastStepHint')} onPress={() => chooseStep('live')}>
        {text('lastStepButton')}
      </Button>
    );
  }
  const live = stepChoice.value === 'live';
  return (
    <Button pressed={live} hint={text('liveHint')} onPress={() => chooseStep('live')}>
      <span class="live-mark" aria-hidden="true" />
      {text('liveButton')}
    </Button>
  );
}

/** The loss over the whole run, with the step that everything else shows. */
export function Timeline() {
  const view = overview.value;
  const steps = view ? numbers(view, 'steps') : new Float64Array(0);
  const loss = view ? numbers(view, 'loss') : new Float32Array(0);
  const count = steps.length;
  const first = steps[0] ?? 0;
  const last = steps[count - 1] ?? 0;
  const newest = count > 0 ? last : null;
  const shownStep = stepChoice.value === 'live' ? newest : stepChoice.value;
  const at = shownStep === null ? -1 : nearestIndex(steps, shownStep);
  const lossAt = at < 0 ? undefined : loss[at];

  const goTo = (index: number) => {
    if (count === 0) return;
    const step = steps[Math.max(0, Math.min(count - 1, index))];
    if (step !== undefined) chooseStep(index >= count - 1 ? 'live' : step);
  };
  const track = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = track.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const x = timelineScale(steps, width);
  /** Where a range is being marked from, while Shift is held. */
  const marking = useRef<number | null>(null);
  const stepUnder = (event: PointerEvent & { readonly currentTarget: HTMLElement }) =>
    x.invert(event.clientX - event.currentTarget.getBoundingClientRect().left);
  const point = (step: number) => {
    if (marking.current === null) goTo(nearestIndex(steps, step));
    else zoomTo(between(marking.current, step, wholeRun.value));
  };
  return (
    <section class="timeline" aria-label={text('timeline')}>
      <div class="track" ref={track}>
        <div
          class="track-slider"
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
            const step = stepUnder(event);
            marking.current = event.shiftKey ? step : null;
            if (!event.shiftKey) point(step);
          }}
          onPointerMove={(event) => {
            if (event.currentTarget.hasPointerCapture(event.pointerId)) point(stepUnder(event));
          }}
        >
          <span class="timeline-label">{text('lossCaption')}</span>
          <Canvas
            draw={drawTimeline({
              steps,
              loss,
              selected: shownStep,
              hovered: hoveredStep.value,
              range: stepRange.value,
              marks: alerts.value.slice(0, MOST_MARKS),
            })}
          />
        </div>
        {stepRange.value && count > 1 && <TimelineRange range={stepRange.value} x={x} />}
      </div>
      <NewestButton />
    </section>
  );
}
