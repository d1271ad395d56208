/** One column: numbers, NaN where one is not known, or words. */
export interface ChartColumn {
  readonly title: string;
  readonly values: ArrayLike<number> | readonly string[];
}

/** What a chart shows, in rows and columns of equal length. */
export interface ChartTable {
  readonly columns: readonly ChartColumn[];
}
