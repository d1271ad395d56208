import { signal } from '@preact/signals';
import type { StepRange } from '../../extension/protocol/stepChoice';
import { columnAt } from './heatMapGeometry';
import { plotOf, stepsOf, type HeatMapData } from './heatMapDrawing';
import { rowAt } from './modelRows';
import { hoveredStep } from './hoveredStep';
import { between, panned, zoomed } from './stepZoom';

/** A place on the map. */
export interface HeatPlace {
  readonly row: number;
  readonly column: number;
}

/** The cell under the pointer. */
export const hoveredCell = signal<HeatPlace | null>(null);
/** The steps that are being marked for a zoom. */
export const markedSteps = signal<readonly [number, number] | null>(null);

/** Movement that makes a drag of a click, in CSS pixels. */
const DRAG_FROM = 5;
const WHEEL_ZOOM = 0.002;

export interface HeatPointer {
  readonly data: HeatMapData;
  /** Steps that are shown, and those of the whole run. */
  readonly range: StepRange;
  readonly whole: StepRange;
  readonly onChoose: (place: HeatPlace) => void;
  readonly onOpen: (place: HeatPlace) => void;
  readonly onZoom: (range: StepRange | null) => void;
}

interface Drag {
  readonly x: number;
  readonly step: number;
  readonly pans: boolean;
  readonly range: StepRange;
  moved: boolean;
}

type MouseOn = MouseEvent & { readonly currentTarget: HTMLElement };

/** What the pointer does on the map: it points, chooses, marks steps, zooms and pans. */
export class HeatMapPointer {
  private drag: Drag | null = null;

  /** @param latest - what is shown now */
  constructor(private readonly latest: () => HeatPointer) {}

  private at(event: MouseOn) {
    const { data } = this.latest();
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const [left, right] = plotOf(box.width, data.gutter);
    const scale = stepsOf(box.width, data);
    const step = scale.invert(x);
    const inside = x >= left && x <= right;
    const column = inside ? columnAt(data.edges, step) : -1;
    const isMap = event.currentTarget.dataset.part === 'map';
    const row = isMap ? rowAt(data.layout, y) : -1;
    const perPixel = scale.invert(1) - scale.invert(0);
    return { x, step, inside, row, column, perPixel };
  }

  readonly down = (event: PointerEvent & MouseOn): void => {
    const { x, step, inside } = this.at(event);
    if (!inside || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    this.drag = { x, step, pans: event.shiftKey, range: this.latest().range, moved: false };
  };

  readonly move = (event: PointerEvent & MouseOn): void => {
    const { x, step, row, column, perPixel } = this.at(event);
    const { data, whole, onZoom } = this.latest();
    const { drag } = this;
    if (drag && Math.abs(x - drag.x) > DRAG_FROM) drag.moved = true;
    if (drag?.moved && drag.pans) onZoom(panned(drag.range, (drag.x - x) * perPixel, whole));
    else if (drag?.moved) markedSteps.value = [drag.step, step];
    hoveredStep.value = column < 0 ? null : (data.steps[column] ?? null);
    const known = hoveredCell.peek();
    if (row < 0 || column < 0 || drag?.moved) hoveredCell.value = null;
    else if (known?.row !== row || known.column !== column) hoveredCell.value = { row, column };
  };

  readonly up = (event: PointerEvent & MouseOn): void => {
    const { drag } = this;
    this.drag = null;
    markedSteps.value = null;
    if (!drag) return;
    const { step, row, column } = this.at(event);
    const { whole, onChoose, onZoom } = this.latest();
    if (!drag.moved && column >= 0) onChoose({ row, column });
    else if (drag.moved && !drag.pans) onZoom(between(drag.step, step, whole));
  };

  readonly leave = (): void => {
    hoveredStep.value = null;
    hoveredCell.value = null;
  };

  readonly cancel = (): void => {
    this.drag = null;
    markedSteps.value = null;
  };

  readonly doubleClick = (event: MouseOn): void => {
    const { row, column } = this.at(event);
    const { onOpen, onZoom } = this.latest();
    if (row >= 0 && column >= 0) onOpen({ row, column });
    else if (row < 0) onZoom(null);
  };

  /** With Ctrl (a pinch, too) it zooms, sideways it pans; else the page scrolls. */
  readonly wheel = (event: WheelEvent & MouseOn): void => {
    const { range, whole, onZoom } = this.latest();
    const { step, perPixel, inside } = this.at(event);
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    const zooms = event.ctrlKey || event.metaKey;
    if (!inside || (!zooms && Math.abs(sideways) <= (event.shiftKey ? 0 : Math.abs(event.deltaY))))
      return;
    event.preventDefault();
    if (zooms) onZoom(zoomed(range, Math.exp(event.deltaY * WHEEL_ZOOM), step, whole));
    else onZoom(panned(range, sideways * perPixel, whole));
  };
}
