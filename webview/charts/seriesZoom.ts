import type uPlot from 'uplot';
import type { StepRange } from '../../extension/protocol/stepChoice';
import { stepRange, zoomTo } from '../state/runs';
import { wholeRun } from '../state/wholeRun';
import { zoomedBy } from './zoomKeys';
import { between, panned, zoomed } from './stepZoom';

const WHEEL_ZOOM = 0.002;
/** Shortest drag that zooms, in CSS pixels: below it is a click. */
const DRAG_FROM = 5;

/** The steps that charts show now. */
const shown = (): StepRange => stepRange.value ?? wholeRun.value;

/** What the pointer does on a chart over steps beside pointing and choosing. */
export const ZOOM_CURSOR: uPlot.Cursor = {
  y: false,
  drag: { setScale: false, x: true, y: false, dist: DRAG_FROM },
  // The other charts follow the pointer; the zoom they take from the panel's range.
  sync: {
    key: 'steps',
    setSeries: false,
    filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
  },
  points: { size: 6 },
  bind: {
    mousedown: (_chart, _target, handler) => (event) => {
      if (event.button === 0 && !event.shiftKey) handler(event);
      return null;
    },
    dblclick: () => () => {
      zoomTo(null);
      return null;
    },
  },
};

/** Zooms to what was marked by a drag. */
export function zoomToSelection(chart: uPlot): void {
  const { left, width } = chart.select;
  if (width < DRAG_FROM) return;
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  zoomTo(between(chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x'), wholeRun.value));
}

/** With Ctrl (a pinch, too) the wheel zooms, sideways it pans; else the page scrolls. */
function turn(chart: uPlot, event: WheelEvent): void {
  const range = shown();
  const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
  if (event.ctrlKey || event.metaKey) {
    const around = chart.posToVal(event.offsetX, 'x');
    zoomTo(zoomed(range, Math.exp(event.deltaY * WHEEL_ZOOM), around, wholeRun.value));
  } else if (event.shiftKey || Math.abs(sideways) > Math.abs(event.deltaY)) {
    const perPixel = chart.posToVal(1, 'x') - chart.posToVal(0, 'x');
    zoomTo(panned(range, sideways * perPixel, wholeRun.value));
  } else return;
  event.preventDefault();
}

/** Shift and a drag move the steps under the pointer along with it. */
function grab(chart: uPlot, start: PointerEvent): void {
  if (!start.shiftKey || start.button !== 0) return;
  const range = shown();
  const perPixel = chart.posToVal(1, 'x') - chart.posToVal(0, 'x');
  const move = (event: PointerEvent) =>
    zoomTo(panned(range, (start.clientX - event.clientX) * perPixel, wholeRun.value));
  const stop = () => {
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', stop);
    window.removeEventListener('pointercancel', stop);
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', stop);
  window.addEventListener('pointercancel', stop);
}

/** Listens for the wheel and for drags on the plot of a new chart. */
export function listenForZoom(chart: uPlot): void {
  chart.over.addEventListener('wheel', (event) => turn(chart, event), { passive: false });
  chart.over.addEventListener('pointerdown', (event) => grab(chart, event));
}

/** + and − zoom about the chosen step, arrows move, 0 shows all. True for a key that did so. */
export function zoomByKey({ key }: KeyboardEvent, around: number | null): boolean {
  const range = shown();
  const inside = around !== null && around >= range[0] && around <= range[1];
  const middle = inside ? around : (range[0] + range[1]) / 2;
  const next = zoomedBy({ key, shiftKey: true }, range, wholeRun.value, middle);
  if (next !== undefined) zoomTo(next);
  return next !== undefined;
}
