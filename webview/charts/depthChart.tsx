import { signal } from '@preact/signals';
import { toCss } from '../theme/colour';
import { Canvas } from './canvas';
import { AXIS_ROOM, drawDepthProfile, type DepthProfileProps } from './depthProfile';
import { rowAt, rowSpan } from './modelRows';
import { usePlotKeys } from './plotKeys';

/** The row under the pointer, in whichever chart over layers it is. */
export const hoveredRow = signal(-1);

const PAGE = 10;

interface DepthChartProps extends DepthProfileProps {
  /** What the chart's keys do. */
  readonly keys: string;
  readonly onChoose: (row: number) => void;
  readonly onOpen: (row: number) => void;
  readonly onToggle: (row: number) => void;
}

function movedRow(key: string, row: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: -1,
    ArrowDown: 1,
    PageUp: -PAGE,
    PageDown: PAGE,
    Home: -count,
    End: count,
  };
  const by = steps[key];
  return by === undefined ? undefined : Math.max(0, Math.min(count - 1, row + by));
}

/** A frame around the row under the pointer: the chart below is not drawn anew for it. */
function HoveredRow({ layout, gutter }: DepthProfileProps) {
  const row = hoveredRow.value;
  return (
    <div class="depth-overlay">
      <Canvas
        draw={({ context, width }, palette) => {
          if (row < 0 || row >= layout.tops.length - 1) return;
          const [top, bottom] = rowSpan(layout, row);
          context.fillStyle = toCss(palette.foreground, 0.12);
          context.fillRect(gutter, AXIS_ROOM + top, width - gutter, Math.max(2, bottom - top));
        }}
      />
    </div>
  );
}

/** A figure over layers, of which one can be chosen. */
export function DepthChart(props: DepthChartProps) {
  const { rows, layout, gutter, selectedRow, keys, onChoose, onOpen, onToggle } = props;
  usePlotKeys((event) => {
    const next = movedRow(event.key, selectedRow, rows.length);
    if (next !== undefined) onChoose(next);
    else if (event.key === 'Enter') onOpen(selectedRow);
    else if (event.key === ' ') onToggle(selectedRow);
    else return false;
    return true;
  }, keys);
  const rowUnder = (event: MouseEvent & { readonly currentTarget: HTMLElement }) =>
    rowAt(layout, event.clientY - event.currentTarget.getBoundingClientRect().top - AXIS_ROOM);
  return (
    <div
      class="depth-chart"
      style={{ height: `${layout.height + AXIS_ROOM}px` }}
      onPointerMove={(event) => {
        hoveredRow.value = rowUnder(event);
      }}
      onPointerLeave={() => {
        hoveredRow.value = -1;
      }}
      onClick={(event) => {
        const row = rowUnder(event);
        if (row < 0) return;
        const across = event.clientX - event.currentTarget.getBoundingClientRect().left;
        if (across < gutter && rows[row]?.begins && rows[row]?.group.path !== '') onToggle(row);
        else onChoose(row);
      }}
      onDblClick={(event) => {
        const row = rowUnder(event);
        if (row >= 0) onOpen(row);
      }}
    >
      <Canvas draw={drawDepthProfile(props)} />
      <HoveredRow {...props} />
    </div>
  );
}
