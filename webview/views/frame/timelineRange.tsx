import { useRef } from 'preact/hooks';
import type { ScaleLinear } from 'd3-scale';
import type { StepRange } from '../../../extension/protocol/stepChoice';
import { panned } from '../../charts/stepZoom';
import { formatCount } from '../../format';
import { zoomTo } from '../../state/runs';
import { wholeRun } from '../../state/wholeRun';
import { text } from '../../strings';

type End = 'first' | 'last' | 'both';

/** The range after an end, or both, moved by so many steps: in order and within the run. */
export function movedRange(
  [first, last]: StepRange,
  end: End,
  by: number,
  whole: StepRange,
): StepRange | null {
  if (end === 'both') return panned([first, last], by, whole);
  const steps = Math.round(by);
  const next: StepRange =
    end === 'first'
      ? [Math.max(whole[0], Math.min(last - 1, first + steps)), last]
      : [first, Math.min(whole[1], Math.max(first + 1, last + steps))];
  return next[0] <= whole[0] && next[1] >= whole[1] ? null : next;
}

const LABELS = { first: 'zoomFirst', last: 'zoomLast', both: 'zoomMove' } as const;
/** Share of the range that an arrow key moves. */
const KEY_SHARE = 0.1;

interface GripProps {
  readonly end: End;
  readonly range: StepRange;
  readonly x: ScaleLinear<number, number>;
}

/** One end of the range, or the bar between: dragged, or moved by arrow keys. */
function Grip({ end, range, x }: GripProps) {
  const drag = useRef<{ readonly x: number; readonly range: StepRange } | null>(null);
  const whole = wholeRun.value;
  const [from, to] = [x(range[0]), x(range[1])];
  const move = (base: StepRange, by: number) => zoomTo(movedRange(base, end, by, whole));
  const style =
    end === 'both'
      ? { left: `${from}px`, width: `${Math.max(2, to - from)}px` }
      : { left: `${end === 'first' ? from : to}px` };
  return (
    <div
      class={`grip ${end}`}
      role="slider"
      tabIndex={0}
      aria-label={text(LABELS[end])}
      aria-orientation="horizontal"
      aria-valuemin={whole[0]}
      aria-valuemax={whole[1]}
      aria-valuenow={end === 'last' ? range[1] : range[0]}
      aria-valuetext={text('zoomValue', formatCount(range[0]), formatCount(range[1]))}
      style={style}
      onKeyDown={(event) => {
        const by = Math.max(1, Math.round((range[1] - range[0]) * KEY_SHARE));
        const sign = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (sign === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        move(range, sign * by);
      }}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, range };
      }}
      onPointerMove={(event) => {
        event.stopPropagation();
        if (!drag.current) return;
        const perPixel = x.invert(1) - x.invert(0);
        move(drag.current.range, (event.clientX - drag.current.x) * perPixel);
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
    />
  );
}

/** The steps that charts show, as a bar over the timeline. */
export function TimelineRange({ range, x }: Pick<GripProps, 'range' | 'x'>) {
  return (
    <>
      <Grip end="both" range={range} x={x} />
      <Grip end="first" range={range} x={x} />
      <Grip end="last" range={range} x={x} />
    </>
  );
}
