import type { ChartTable } from '../chartTable';
import type { Poster } from './poster';

interface ShownFigure {
  readonly element: Element;
  readonly poster: () => Poster;
  readonly table: () => ChartTable;
}

const shown = new Set<ShownFigure>();

/** A chart is on the page from now on, until the function given back is called. */
export function showFigure(figure: ShownFigure): () => void {
  shown.add(figure);
  return () => shown.delete(figure);
}

/** The charts of the page, as they follow one another. */
export const shownFigures = (): readonly ShownFigure[] =>
  [...shown].sort((a, b) =>
    a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
