import { signal } from '@preact/signals';
import { quantile } from 'd3-array';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { SearchBox } from '../../controls/searchBox';
import { formatCount } from '../../format';
import { chooseLayer, overview, referenceStep, rows, selectedRow } from '../../state/panel';
import { finite, numbers, type Numbers } from '../../state/viewData';
import { text } from '../../strings';
import { splitName } from './layerNames';
import { LayerRow, ROW_HEIGHT } from './layerRow';

/** A list longer than this gets a filter. */
const FILTER_FROM = 15;
/** Rows drawn above and below what is visible. */
const MARGIN = 8;
/** Letters typed within this time belong together, in milliseconds. */
const TYPE_AHEAD_MS = 700;
const PAGE = 10;
const NO_DRIFT = new Float32Array(0);

const filter = signal('');
const scroll = signal({ top: 0, height: 600 });
let typed = { letters: '', at: 0 };

/**
 * What reaches the top of every sparkline. A rare spike of one layer may leave its frame, and what
 * sampling alone makes stays in its lower part.
 */
function driftTop(drift: Numbers, rows: readonly { readonly driftFloor: number | null }[]): number {
  const usual = quantile(finite(drift), 0.995) ?? 0;
  return Math.max(usual, ...rows.map(({ driftFloor }) => 2.5 * (driftFloor ?? 0)));
}

function typeAhead(letter: string, names: readonly string[], from: number): number {
  const now = performance.now();
  typed = { letters: (now - typed.at < TYPE_AHEAD_MS ? typed.letters : '') + letter, at: now };
  const start = typed.letters.length === 1 ? from + 1 : from;
  for (let i = 0; i < names.length; i++) {
    const index = (start + i) % names.length;
    const name = (names[index] ?? '').toLowerCase();
    if (name.startsWith(typed.letters) || splitName(name)[1].startsWith(typed.letters)) {
      return index;
    }
  }
  return from;
}

function moved(event: KeyboardEvent, index: number, names: readonly string[]): number | undefined {
  switch (event.key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index - 1;
    case 'PageDown':
      return index + PAGE;
    case 'PageUp':
      return index - PAGE;
    case 'Home':
      return 0;
    case 'End':
      return names.length - 1;
  }
  const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  return letter ? typeAhead(event.key.toLowerCase(), names, index) : undefined;
}

/** The norm layers in model order, with what they are and how much they drift. */
export function LayerList() {
  const list = useRef<HTMLDivElement>(null);
  const view = overview.value;
  const all = rows.value;
  const drift = view ? numbers(view, 'drift') : NO_DRIFT;
  const points = drift.length / Math.max(1, all.length);
  const wanted = filter.value.trim().toLowerCase();
  const shown = all
    .map((row, i) => ({ row, drift: drift.subarray(i * points, (i + 1) * points) }))
    .filter(({ row }) => wanted === '' || row.info.name.toLowerCase().includes(wanted));
  const chosen = selectedRow.value?.info.id;
  const at = shown.findIndex(({ row }) => row.info.id === chosen);
  const top = useMemo(() => driftTop(drift, all), [drift, all]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const note = () => {
      scroll.value = { top: element.scrollTop, height: element.clientHeight };
    };
    const observer = new ResizeObserver(note);
    observer.observe(element);
    element.addEventListener('scroll', note, { passive: true });
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element || at < 0) return;
    const [from, to] = [at * ROW_HEIGHT, (at + 1) * ROW_HEIGHT];
    if (from < element.scrollTop) element.scrollTop = from;
    else if (to > element.scrollTop + element.clientHeight) {
      element.scrollTop = to - element.clientHeight;
    }
  }, [chosen, wanted]);

  const first = Math.floor(scroll.value.top / ROW_HEIGHT) - MARGIN;
  const last = (scroll.value.top + scroll.value.height) / ROW_HEIGHT + MARGIN;
  return (
    <aside class="layers" aria-labelledby="layers-title">
      <div class="layers-head">
        <h2 id="layers-title">{text('layers')}</h2>
        <span class="count">{formatCount(all.length)}</span>
        <span class="caption">
          {referenceStep.value === null
            ? text('layersHint')
            : text('layersHintChosen', formatCount(referenceStep.value))}
        </span>
      </div>
      {all.length > FILTER_FROM && (
        <SearchBox
          label={text('filter')}
          onInput={(value) => {
            filter.value = value;
          }}
        />
      )}
      {shown.length === 0 && <p class="hint">{text('filterNone')}</p>}
      <div
        ref={list}
        class="list"
        role="listbox"
        tabIndex={0}
        aria-labelledby="layers-title"
        aria-activedescendant={at < 0 ? undefined : `layer-${chosen}`}
        onKeyDown={(event) => {
          const names = shown.map(({ row }) => row.info.name);
          const next = moved(event, at, names);
          if (next === undefined || shown.length === 0) return;
          event.preventDefault();
          const goal = shown[Math.max(0, Math.min(shown.length - 1, next))];
          if (goal) chooseLayer(goal.row.info.id);
        }}
      >
        <div class="rows" role="presentation" style={{ height: `${shown.length * ROW_HEIGHT}px` }}>
          {shown.map(({ row, drift: curve }, i) =>
            i === at || (i >= first && i <= last) ? (
              <LayerRow
                key={row.info.id}
                row={row}
                index={i}
                count={shown.length}
                selected={i === at}
                drift={curve}
                driftTop={top}
                onChoose={chooseLayer}
              />
            ) : null,
          )}
        </div>
      </div>
    </aside>
  );
}
