/** One figure for every captured step; NaN where it is not known. */
export class SeriesColumn {
  constructor(public values: Float32Array) {}
}

const INITIAL_CAPACITY = 64;
/** Rows that are kept however many columns there are. */
const MIN_CAPACITY = 16;
const STEP_BYTES = Float64Array.BYTES_PER_ELEMENT;
const VALUE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/**
 * Figures over the captured steps, as columns of one table that grow together. When the table would
 * exceed its bytes or rows, every second row goes, so a long run is drawn more coarsely the further
 * back it lies.
 */
export class SeriesTable {
  private stepNumbers = new Float64Array(INITIAL_CAPACITY);
  private readonly columns = new Set<SeriesColumn>();
  private rows = 0;

  constructor(
    private maxBytes: number,
    private readonly maxRows = 20_000,
  ) {}

  /** Number of captured steps in the table. */
  get length(): number {
    return this.rows;
  }

  get byteLength(): number {
    return this.capacity * (STEP_BYTES + VALUE_BYTES * this.columns.size);
  }

  private get capacity(): number {
    return this.stepNumbers.length;
  }

  /** Changes the bytes that the table may take; rows that exceed them go at once. */
  setBudget(maxBytes: number): void {
    this.maxBytes = maxBytes;
    this.shrinkFor(this.columns.size);
  }

  /** Step numbers, oldest first; a view that is valid until the next append. */
  steps(): Float64Array {
    return this.stepNumbers.subarray(0, this.rows);
  }

  addColumn(): SeriesColumn {
    this.shrinkFor(this.columns.size + 1);
    const column = new SeriesColumn(new Float32Array(this.capacity).fill(Number.NaN));
    this.columns.add(column);
    return column;
  }

  /** Forgets a column and its memory. */
  removeColumn(column: SeriesColumn): void {
    this.columns.delete(column);
  }

  /** Begins the row of a step; its figures are NaN until they are set. */
  append(step: number): void {
    if (this.rows === this.capacity) this.makeRoom();
    this.stepNumbers[this.rows++] = step;
  }

  /** Sets a figure of the newest row. */
  set(column: SeriesColumn, value: number): void {
    column.values[this.rows - 1] = value;
  }

  /** Sets a figure of an older row. */
  setAt(column: SeriesColumn, row: number, value: number): void {
    if (row < this.rows) column.values[row] = value;
  }

  /** Figure of the newest row. */
  newest(column: SeriesColumn): number {
    return column.values[this.rows - 1] ?? Number.NaN;
  }

  private exceeds(capacity: number, columns: number): boolean {
    return capacity * (STEP_BYTES + VALUE_BYTES * columns) > this.maxBytes;
  }

  private makeRoom(): void {
    const doubled = Math.min(this.maxRows, this.capacity * 2);
    if (doubled > this.capacity && !this.exceeds(doubled, this.columns.size)) this.resize(doubled);
    else this.halve();
  }

  private shrinkFor(columns: number): void {
    while (this.capacity > MIN_CAPACITY && this.exceeds(this.capacity, columns)) this.shrink();
  }

  private shrink(): void {
    const capacity = Math.max(MIN_CAPACITY, Math.ceil(this.capacity / 2));
    while (this.rows > capacity) this.halve();
    this.resize(capacity);
  }

  /** Keeps every second row from the first on, and the newest, whose figures are still being set. */
  private halve(): void {
    const newest = this.rows - 1;
    const kept = Math.ceil(this.rows / 2);
    const source = (row: number) => (row === kept - 1 ? newest : 2 * row);
    for (let row = 0; row < kept; row++) {
      this.stepNumbers[row] = this.stepNumbers[source(row)] as number;
    }
    for (const { values } of this.columns) {
      for (let row = 0; row < kept; row++) values[row] = values[source(row)] as number;
      values.fill(Number.NaN, kept);
    }
    this.rows = kept;
  }

  private resize(capacity: number): void {
    const steps = new Float64Array(capacity);
    steps.set(this.steps());
    this.stepNumbers = steps;
    for (const column of this.columns) {
      const values = new Float32Array(capacity).fill(Number.NaN);
      values.set(column.values.subarray(0, this.rows));
      column.values = values;
    }
  }
}
