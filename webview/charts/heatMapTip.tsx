import { useLayoutEffect, useRef } from 'preact/hooks';
import { stepsOf, type HeatMapData } from './heatMapDrawing';
import { hoveredCell, type HeatPlace } from './heatMapPointer';
import { rowSpan } from './modelRows';

interface TipProps {
  readonly data: HeatMapData;
  /** A cell in words, as lines. */
  readonly describe: (place: HeatPlace) => readonly string[];
  /** What a double click on it does. */
  readonly openHint: string;
}

const TIP_GAP = 14;

/** What is under the pointer, next to it. */
export function Tip({ data, describe, openHint }: TipProps) {
  const ref = useRef<HTMLDivElement>(null);
  const cell = hoveredCell.value;
  useLayoutEffect(() => {
    const tip = ref.current;
    const parent = tip?.parentElement;
    if (!cell || !tip || !parent) return;
    const x = stepsOf(parent.clientWidth, data)(data.edges[cell.column + 1] ?? 0);
    const [top, bottom] = rowSpan(data.layout, cell.row);
    const fits = x + TIP_GAP + tip.offsetWidth <= parent.clientWidth;
    const start = stepsOf(parent.clientWidth, data)(data.edges[cell.column] ?? 0);
    tip.style.left = `${fits ? x + TIP_GAP : Math.max(0, start - TIP_GAP - tip.offsetWidth)}px`;
    const below = bottom + 8;
    const room = data.layout.height - below >= tip.offsetHeight || top < tip.offsetHeight + 8;
    tip.style.top = `${room ? below : top - 8 - tip.offsetHeight}px`;
  });
  if (!cell) return null;
  return (
    <div ref={ref} class="heat-tip" aria-hidden="true">
      {describe(cell).map((line, i) => (
        <span key={i}>{line}</span>
      ))}
      <span class="hint">{openHint}</span>
    </div>
  );
}
