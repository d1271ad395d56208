import type { SeriesColumn, SeriesTable } from './seriesTable';

/** Named figures of one tap over the captured steps; a figure that never has a value costs nothing. */
export class FigureSeries<Name extends string> {
  private readonly columns = new Map<Name, SeriesColumn>();

  constructor(private readonly table: SeriesTable) {}

  /** Sets a figure of the newest step. */
  set(name: Name, value: number): void {
    if (!Number.isNaN(value)) this.table.set(this.columnFor(name), value);
  }

  /** Makes room for figures before any is set: the table may lose rows to it. */
  prepare(names: readonly Name[]): void {
    for (const name of names) this.columnFor(name);
  }

  /** Sets a figure of an older step, by its row in the table; only one that was prepared. */
  setAt(name: Name, row: number, value: number): void {
    const column = this.columns.get(name);
    if (column) this.table.setAt(column, row, value);
  }

  /** Forgets all figures. */
  clear(): void {
    for (const column of this.columns.values()) this.table.removeColumn(column);
    this.columns.clear();
  }

  private columnFor(name: Name): SeriesColumn {
    let column = this.columns.get(name);
    if (!column) this.columns.set(name, (column = this.table.addColumn()));
    return column;
  }

  /** The figure at the newest captured step; NaN where it is not known. */
  newest(name: Name): number {
    const column = this.columns.get(name);
    return column ? this.table.newest(column) : Number.NaN;
  }

  /** The figure at every row of the table, and room behind; undefined when it never had a value. */
  column(name: Name): Float32Array | undefined {
    return this.columns.get(name)?.values;
  }

  /** The figure at the given rows of the table. */
  at(name: Name, rows: readonly number[]): Float32Array {
    const values = this.column(name);
    const result = new Float32Array(rows.length).fill(Number.NaN);
    if (values)
      for (let i = 0; i < rows.length; i++) result[i] = values[rows[i] as number] as number;
    return result;
  }

  /**
   * At the given rows, which ascend, the newest figure that is known since the row before: for
   * figures that not every step has.
   */
  newestBy(name: Name, rows: readonly number[]): Float32Array {
    const result = this.at(name, rows);
    const values = this.column(name);
    if (!values) return result;
    rows.forEach((row, i) => {
      const from = (rows[i - 1] ?? row - 1) + 1;
      for (let at = row - 1; at >= from && Number.isNaN(result[i]); at--) {
        result[i] = values[at] as number;
      }
    });
    return result;
  }
}
