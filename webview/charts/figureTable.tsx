import { formatNumber, UNKNOWN } from '../format';
import { text } from '../strings';
import type { ChartColumn, ChartTable } from './chartTable';
import { rowCount } from './export/csv';

/** Rows shown at most: more than anyone reads, and few enough to be there at once. */
export const MOST_ROWS = 200;

const cell = ({ values }: ChartColumn, row: number): string => {
  const value = values[row];
  if (typeof value === 'string') return value;
  if (value === undefined || Number.isNaN(value)) return UNKNOWN;
  return Number.isInteger(value) ? value.toLocaleString('en') : formatNumber(value);
};

interface FigureTableProps {
  readonly title: string;
  readonly table: ChartTable;
}

/** The figures of a chart in rows and columns. */
export function FigureTable({ title, table }: FigureTableProps) {
  const count = rowCount(table);
  const shown = Math.min(count, MOST_ROWS);
  return (
    <div class="figure-table">
      <div class="figure-table-rows" role="region" tabIndex={0} aria-label={text('tableOf', title)}>
        <table>
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column.title} scope="col">
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shown }, (_, row) => (
              <tr key={row}>
                {table.columns.map((column) => (
                  <td key={column.title}>{cell(column, row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > shown && (
        <p class="hint">
          {text('tableRows', shown.toLocaleString('en'), count.toLocaleString('en'))}
        </p>
      )}
    </div>
  );
}
