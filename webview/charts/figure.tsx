import type { ComponentChildren } from 'preact';

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

interface FigureProps {
  readonly title: string;
  readonly side?: Side;
  /** The figures the chart shows, in words. */
  readonly caption: ComponentChildren;
  /** What a person who does not see the chart should know of it. */
  readonly sentence: string;
  readonly size: 'tall' | 'medium' | 'small';
  readonly children: ComponentChildren;
}

/** A chart with its title, its figures and its text alternative. */
export function Figure({ title, side, caption, sentence, size, children }: FigureProps) {
  return (
    <figure class={`figure ${size}`}>
      <figcaption>
        <h3>
          {side && <SideMark side={side} />}
          {title}
        </h3>
        <span class="caption">{caption}</span>
      </figcaption>
      <div class="plot" role="img" aria-label={`${title}. ${sentence}`}>
        {children}
      </div>
    </figure>
  );
}
