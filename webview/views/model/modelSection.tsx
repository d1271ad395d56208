import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DepthView } from '../../../extension/protocol/modelViews';
import { layOutRows } from '../../charts/modelRows';
import { gutterWidth, rowLabels } from '../../charts/rowGutter';
import { formatCount } from '../../format';
import { depth } from '../../state/model';
import { rows as layerRows, run, selectedRow } from '../../state/panel';
import { play, playing, stopPlaying } from '../../state/player';
import { numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { palette } from '../../theme/palette';
import { Connecting, Waiting } from '../frame/emptyState';
import { DEPTH_FIGURES } from './depthFigures';
import { DepthProfileFigure } from './depthProfileFigure';
import { GroupsButton } from './groupsButton';
import { measureIn } from './measure';
import { namesOf, roomForRows, rowsOf } from './modelGroups';
import { windowSize } from './windowSize';

/** Least width of one chart, and from one to the next, in CSS pixels. */
const NARROWEST = 206;
const GAP = 20;
/** Height of what a second line of charts has beside its rows, in CSS pixels. */
const SECOND_LINE = 60;
/** Most of the width that names of layers may take. */
const GUTTER_SHARE = 0.4;

function Toolbar({ view }: { readonly view: Loaded<DepthView> }) {
  const { step, layers } = view.body;
  const isPlaying = playing.value;
  return (
    <div class="model-head">
      <h2>{text('depthTitle')}</h2>
      <span class="caption">
        {text('depthHint', formatCount(step), formatCount(layers.length))}
      </span>
      <button
        type="button"
        class="quiet-button"
        title={text('playHint')}
        aria-pressed={isPlaying}
        onClick={() => (isPlaying ? stopPlaying() : play())}
      >
        <span class={`codicon codicon-debug-${isPlaying ? 'pause' : 'start'}`} aria-hidden="true" />
        {text(isPlaying ? 'pause' : 'play')}
      </button>
      <GroupsButton />
    </div>
  );
}

function Profiles({ view, width }: { readonly view: Loaded<DepthView>; readonly width: number }) {
  const layers = layerRows.value;
  const names = useMemo(() => namesOf(view.body.layers, layers), [view.body.layers, layers]);
  const rows = rowsOf(names);
  const measure = measureIn(palette.value.font);
  const laidOut = (room: number) => {
    const layout = layOutRows(rows, room);
    const most = Math.floor(width * GUTTER_SHARE);
    return { layout, gutter: gutterWidth(rowLabels(rows, layout), measure, most) };
  };
  const known = DEPTH_FIGURES.filter(({ lines }) =>
    lines.some(({ figure }) => !numbers(view, figure).every(Number.isNaN)),
  );
  const room = roomForRows(windowSize.value.height);
  const fit = Math.max(1, Math.floor((width - laidOut(room).gutter + GAP) / (NARROWEST + GAP)));
  const lines = Math.ceil(known.length / fit);
  const across = Math.ceil(known.length / Math.max(1, lines));
  // Two lines of charts are to be seen at once; where they are more, the page scrolls.
  const { layout, gutter } = laidOut(lines === 2 ? (room - SECOND_LINE) / 2 : room);
  const chosen = selectedRow.value?.info.id;
  const share = `minmax(0, 1fr)`;
  const first = `calc(${gutter}px + (100% - ${gutter}px - ${(across - 1) * GAP}px) / ${across})`;
  return (
    <div
      class="charts depth"
      style={{ gridTemplateColumns: [first, ...Array(across - 1).fill(share)].join(' ') }}
    >
      {known.map((chart, i) => (
        <DepthProfileFigure
          key={chart.id}
          view={view}
          chart={chart}
          names={names}
          rows={rows}
          layout={layout}
          gutter={i % across === 0 ? gutter : 0}
          selected={chosen === undefined ? -1 : view.body.layers.indexOf(chosen)}
        />
      ))}
    </div>
  );
}

/** The depth of the model at one step: each layer from the first to the last. */
export function ModelSection() {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => {
      observer.disconnect();
      stopPlaying();
    };
  }, []);
  const view = depth.value;
  return (
    <main class="main model" ref={box}>
      {!view && <Connecting />}
      {view?.body.step === null && (
        <Waiting title={text('noStepTitle', run.value?.program ?? '')} body={text('noStepText')} />
      )}
      {view && view.body.step !== null && (
        <>
          <Toolbar view={view} />
          {width > 0 && <Profiles view={view} width={width} />}
        </>
      )}
    </main>
  );
}
