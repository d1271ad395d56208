import { toCss } from '../../theme/colour';
import { palette } from '../../theme/palette';
import type { ChartTable } from '../chartTable';
import { rowCount } from './csv';
import { escapeMarkup } from './markup';
import { toSvg } from './poster';
import { shownFigures } from './shownFigures';

/** Words of the report beside those of the charts. */
export interface ReportWords {
  readonly language: string;
  readonly title: string;
  /** What is shown and when it was: run, layer, step. */
  readonly facts: readonly string[];
  /** Name of the table under a chart. */
  readonly table: string;
  readonly rows: (shown: number, all: number) => string;
}

/** Rows of a table at most; longer ones are thinned evenly. */
const MOST_ROWS = 1_000;

function tableMarkup(table: ChartTable, words: ReportWords): string {
  const count = rowCount(table);
  const stride = Math.max(1, Math.ceil(count / MOST_ROWS));
  const rows = Array.from({ length: Math.ceil(count / stride) }, (_, i) => i * stride);
  const head = table.columns.map(({ title }) => `<th scope="col">${escapeMarkup(title)}</th>`);
  const body = rows.map((row) => {
    const cells = table.columns.map(({ values }) => {
      const value = values[row] ?? '';
      return `<td>${typeof value === 'number' && Number.isNaN(value) ? '' : escapeMarkup(String(value))}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return (
    `<details><summary>${escapeMarkup(words.table)}` +
    `${stride > 1 ? ` · ${escapeMarkup(words.rows(rows.length, count))}` : ''}</summary>` +
    `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></details>`
  );
}

/** The page's charts and their figures as one HTML file, which needs no script and nothing else. */
export function toReport(words: ReportWords): string {
  const colours = palette.peek();
  const title = escapeMarkup(words.title);
  const figures = shownFigures().map(
    ({ poster, table }) => `<figure>${toSvg(poster())}${tableMarkup(table(), words)}</figure>`,
  );
  return `<!DOCTYPE html>
<html lang="${escapeMarkup(words.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { margin: 24px; color: ${toCss(colours.foreground)}; background: ${toCss(colours.background)}; font: 14px/1.5 ${colours.font.replace(/[<>{};]/g, '')}; }
h1 { font-size: 18px; } figure { margin: 0 0 24px; } svg { max-width: 100%; height: auto; }
main { display: flex; flex-wrap: wrap; gap: 0 32px; } summary { cursor: pointer; }
td, th { padding: 0 12px 0 0; text-align: right; font-variant-numeric: tabular-nums; }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${words.facts.map(escapeMarkup).join(' · ')}</p>
<main>
${figures.join('\n')}
</main>
</body>
</html>
`;
}
