import type { ChartColumn, ChartTable } from '../chartTable';

/** Digits that a float32 needs to be read back as the same number. */
const FLOAT32_DIGITS = 9;

export const rowCount = ({ columns }: ChartTable): number =>
  Math.max(0, ...columns.map(({ values }) => values.length));

/** A number in full; empty where it is not known. */
function plainNumber(value: number, digits: number | undefined): string {
  if (Number.isNaN(value)) return '';
  return String(digits === undefined ? value : Number(value.toPrecision(digits)));
}

/** Words quoted; such as a spreadsheet would take for a formula begin with an apostrophe. */
function quoted(words: string): string {
  const harmless = /^[=+\-@\t\r]/.test(words) ? `'${words}` : words;
  return `"${harmless.replaceAll('"', '""')}"`;
}

function cell({ values }: ChartColumn, row: number): string {
  const value = values[row];
  if (typeof value === 'string') return quoted(value);
  const digits = values instanceof Float32Array ? FLOAT32_DIGITS : undefined;
  return plainNumber(value ?? NaN, digits);
}

/** The table as comma-separated values (RFC 4180), with a header. */
export function toCsv(table: ChartTable): string {
  const { columns } = table;
  const header = columns.map(({ title }) => quoted(title)).join(',');
  const rows = Array.from({ length: rowCount(table) }, (_, row) =>
    columns.map((column) => cell(column, row)).join(','),
  );
  return [header, ...rows, ''].join('\r\n');
}
