import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DefinitionId } from '../../extension/protocol/definitions';
import { About } from './about';
import type { Draw } from './canvas';
import { ChartMenu } from './chartMenu';
import type { ChartTable } from './chartTable';
import type { Poster } from './export/poster';
import { showFigure } from './export/shownFigures';
import { FigureTable } from './figureTable';
import { PlotKeyboardContext, type PlotKeys } from './plotKeys';

/** Which side of the norm a chart or a figure speaks of: its colour, its mark and its word. */
export type Side = 'before' | 'after';

/** The tap whose values are on a side. */
export const tapOf = (side: Side) => (side === 'before' ? 'pre' : 'post');

/** Readings of a caption, of which each stays in one line. */
export function Readings({ children }: { readonly children: string }) {
  return (
    <span class="readings">
      {children.split(' · ').map((reading, i) => (
        <span key={i} class="reading">
          {reading}
        </span>
      ))}
    </span>
  );
}

export function SideMark({ side }: { readonly side: Side }) {
  return <span class={`side-mark ${side}`} aria-hidden="true" />;
}

export interface FigureProps {
  /** Unlike that of any other chart of the panel; names its options and what is copied of it. */
  readonly id: string;
  readonly title: string;
  readonly side?: Side;
  /** The figures the chart shows, in words. */
  readonly caption: ComponentChildren;
  /** What a person who does not see the chart should know of it. */
  readonly sentence: string;
  readonly size: 'tall' | 'medium' | 'small';
  /** The figures that are drawn: for the table on demand and for CSV. */
  readonly table: () => ChartTable;
  /** For CSV where the figures are too many for a table that a person reads. */
  readonly data?: () => ChartTable;
  /** Draws the chart without what follows the pointer: for PNG and SVG. */
  readonly draw: Draw;
  /** Where the figures are defined. */
  readonly definition?: DefinitionId;
  /** Controls of the chart, at the right of its title. */
  readonly controls?: ComponentChildren;
  /** The chart within has controls and a text alternative of its own. */
  readonly speaks?: boolean;
  readonly children: ComponentChildren;
}

/** The readings of a caption as one line. */
function captionWords(caption: Element | null): string {
  const readings = [...(caption?.querySelectorAll('.reading') ?? [])];
  const words =
    readings.length > 0 ? readings.map((each) => each.textContent) : [caption?.textContent];
  return words.join(' · ').replace(/\s+/g, ' ').trim();
}

/** Lets the chart within take keys: what they do in words, or null. */
function usePlotKeyboard() {
  const [words, setWords] = useState<string | null>(null);
  const keys = useRef<PlotKeys | null>(null);
  const keyboard = useMemo(
    () => ({
      take: (taken: PlotKeys, described: string) => {
        keys.current = taken;
        setWords(described);
        return () => {
          keys.current = null;
          setWords(null);
        };
      },
    }),
    [],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (keys.current?.(event)) event.preventDefault();
  };
  return { keyboard, focusable: words === null ? {} : { tabIndex: 0, title: words, onKeyDown } };
}

/** A chart with its title, its figures and its text alternative. */
export function Figure(props: FigureProps) {
  const { id, title, side, caption, sentence, size, table, definition, controls, children } = props;
  const { speaks = false, data } = props;
  const [tableShown, showTable] = useState(false);
  const captionRef = useRef<HTMLSpanElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { keyboard, focusable } = usePlotKeyboard();
  const poster = (): Poster => ({
    id,
    title,
    caption: captionWords(captionRef.current),
    draw: latest.current.draw,
    width: plot.current?.clientWidth ?? 0,
    height: plot.current?.clientHeight ?? 0,
  });
  useEffect(() => {
    const element = plot.current;
    if (!element) return undefined;
    return showFigure({ element, poster, table: () => latest.current.table() });
  }, [id]);
  return (
    <figure class={`figure ${size}`} data-chart={id}>
      <figcaption>
        <div class="figure-words">
          <div class="figure-title">
            <h3>
              {side && <SideMark side={side} />}
              {title}
            </h3>
            {definition && <About id={id} title={title} definition={definition} />}
          </div>
          <span class="caption" ref={captionRef}>
            {caption}
          </span>
        </div>
        <div class="figure-tools">
          {controls}
          <ChartMenu
            id={id}
            title={title}
            poster={poster}
            table={data ?? table}
            tableShown={tableShown}
            showTable={showTable}
          />
        </div>
      </figcaption>
      <div class="figure-body">
        <div
          ref={plot}
          class="plot"
          {...(!speaks && { role: 'img', 'aria-label': `${title}. ${sentence}` })}
          {...focusable}
        >
          <PlotKeyboardContext.Provider value={keyboard}>{children}</PlotKeyboardContext.Provider>
        </div>
        {tableShown && <FigureTable title={title} table={table()} />}
      </div>
    </figure>
  );
}
