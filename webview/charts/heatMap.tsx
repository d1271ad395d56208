import { useMemo, useRef, useState } from 'preact/hooks';
import { Canvas } from './canvas';
import { drawFoot, drawLoss, drawMap, FOOT_HEIGHT, LOSS_HEIGHT } from './heatMapDrawing';
import { columnAt } from './heatMapGeometry';
import { movedTo } from './heatMapKeys';
import { drawLines, drawOverlay } from './heatMapOverlay';
import {
  hoveredCell,
  HeatMapPointer,
  markedSteps,
  type HeatPlace,
  type HeatPointer,
} from './heatMapPointer';
import { Tip } from './heatMapTip';
import { rowSpan } from './modelRows';
import { labelAt, LABEL_HEIGHT, rowLabels } from './rowGutter';
import { hoveredStep } from './hoveredStep';
import { zoomedBy } from './zoomKeys';

export interface HeatMapProps extends HeatPointer {
  /** What the map is, in words. */
  readonly label: string;
  /** What its keys do. */
  readonly keys: string;
  readonly selectedRow: number;
  readonly selectedStep: number | null;
  /** A cell in words, as lines. */
  readonly describe: (place: HeatPlace) => readonly string[];
  /** What a double click on a cell does, and what one beside the map does now; none for nothing. */
  readonly openHint: string;
  readonly allStepsHint: string | undefined;
  /** What a group's button says. */
  readonly groupLabel: (row: number) => string;
  /** Opens or closes the group of a row. */
  readonly onToggle: (row: number) => void;
}

function GroupButtons({ data, groupLabel, onToggle }: HeatMapProps) {
  const { rows, layout, gutter } = data;
  return (
    <>
      {rowLabels(rows, layout)
        .filter(({ group }) => group !== '')
        .map(({ row }) => {
          const [top, bottom] = rowSpan(layout, row);
          return (
            <button
              key={rows[row]?.group.key}
              type="button"
              class="group-toggle"
              aria-expanded={rows[row]?.layers.length === 1}
              aria-label={groupLabel(row)}
              style={{
                top: `${labelAt(layout, row) - Math.max(LABEL_HEIGHT, bottom - top) / 2}px`,
                width: `${Math.round(gutter * 0.6)}px`,
                height: `${Math.max(LABEL_HEIGHT, bottom - top)}px`,
              }}
              onClick={() => onToggle(row)}
            />
          );
        })}
    </>
  );
}

function LossStrip({ data, selectedStep }: HeatMapProps) {
  return (
    <Canvas
      draw={(surface, palette) => {
        drawLoss(surface, palette, data);
        drawLines(surface, palette, data, selectedStep);
      }}
    />
  );
}

function Overlay(props: HeatMapProps) {
  void [hoveredStep.value, hoveredCell.value, markedSteps.value];
  return <Canvas draw={(surface, palette) => drawOverlay(surface, palette, props)} />;
}

/** A figure over layers and steps as colours, the loss above it on the same steps. */
export function HeatMap(props: HeatMapProps) {
  const { data, label, keys, selectedRow, selectedStep, range, whole } = props;
  const latest = useRef(props);
  latest.current = props;
  const [spoken, setSpoken] = useState('');
  const pointer = useMemo(() => new HeatMapPointer(() => latest.current), []);
  // Drawn anew only when what it shows has changed, not for what follows the pointer.
  const map = useMemo(
    () => <Canvas draw={(surface, palette) => drawMap(surface, palette, data)} />,
    [data],
  );
  const foot = useMemo(
    () => <Canvas draw={(surface, palette) => drawFoot(surface, palette, data)} />,
    [data],
  );
  const columns = data.steps.length;
  const shownColumn = selectedStep === null ? -1 : columnAt(data.edges, selectedStep);
  const place = {
    row: Math.max(0, selectedRow),
    column: shownColumn < 0 ? columns - 1 : shownColumn,
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const zoom = zoomedBy(event, range, whole, selectedStep ?? range[1]);
    const next = movedTo(event.key, place, data.rows.length, columns);
    if (zoom !== undefined) props.onZoom(zoom);
    else if (next && columns > 0) {
      props.onChoose(next);
      setSpoken(props.describe(next).join(', '));
    } else if (event.key === 'Enter') props.onOpen(place);
    else if (event.key === ' ') props.onToggle(place.row);
    else return;
    event.preventDefault();
  };
  const events = {
    onPointerDown: pointer.down,
    onPointerMove: pointer.move,
    onPointerUp: pointer.up,
    onPointerCancel: pointer.cancel,
    onPointerLeave: pointer.leave,
    onDblClick: pointer.doubleClick,
    onWheel: pointer.wheel,
  };
  return (
    <div
      class="heat"
      role="application"
      tabIndex={0}
      aria-label={label}
      aria-description={keys}
      onKeyDown={press}
    >
      <div
        class="heat-loss"
        title={props.allStepsHint}
        style={{ height: `${LOSS_HEIGHT}px` }}
        {...events}
      >
        <LossStrip {...props} />
      </div>
      <div class="heat-map" style={{ height: `${data.layout.height}px` }}>
        {map}
        <div class="heat-overlay" data-part="map" {...events}>
          <Overlay {...props} />
        </div>
        <GroupButtons {...props} />
        <Tip {...props} />
      </div>
      <div
        class="heat-foot"
        title={props.allStepsHint}
        style={{ height: `${FOOT_HEIGHT}px` }}
        {...events}
      >
        {foot}
      </div>
      <span class="spoken" aria-live="polite">
        {spoken}
      </span>
    </div>
  );
}
