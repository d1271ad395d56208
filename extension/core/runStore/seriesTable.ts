/** One figure for every captured step; NaN where it is not known. */
export class SeriesColumn {
  constructor(public values: Float32Array) {}
}

const INITIAL_CAPACITY = 64;
/** Share of the rows in which the newest steps are kept without gaps. */
const RECENT = 0.5;
/** Share of the rows that thinning leaves filled, so that it is done rarely. */
const REFILL = 0.75;
/** Rows that are kept however many columns there are. */
const MIN_CAPACITY = 16;
/** A row's step and its ordinal. */
const ROW_BYTES = 2 * Float64Array.BYTES_PER_ELEMENT;
const VALUE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/**
 * Figures over the captured steps, as columns of one table that grow together. When the table would
 * exceed its bytes or rows, the newest ones stay without gaps, and every 2ⁿ-th of the older ones
 * back to the first, so that the whole run can be drawn evenly.
 */
export class SeriesTable {
  private stepNumbers = new Float64Array(INITIAL_CAPACITY);
  /** How many rows were begun before each. */
  private ordinals = new Float64Array(INITIAL_CAPACITY);
  private begun = 0;
  private stride = 1;
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
    return this.capacity * (ROW_BYTES + VALUE_BYTES * this.columns.size);
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
    this.ordinals[this.rows] = this.begun++;
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
    return capacity * (ROW_BYTES + VALUE_BYTES * columns) > this.maxBytes;
  }

  private makeRoom(): void {
    const doubled = Math.min(this.maxRows, this.capacity * 2);
    if (doubled > this.capacity && !this.exceeds(doubled, this.columns.size)) this.resize(doubled);
    else this.thin(REFILL * this.capacity);
  }

  private shrinkFor(columns: number): void {
    while (this.capacity > MIN_CAPACITY && this.exceeds(this.capacity, columns)) this.shrink();
  }

  private shrink(): void {
    const capacity = Math.max(MIN_CAPACITY, Math.ceil(this.capacity / 2));
    this.thin(capacity);
    this.resize(capacity);
  }

  /** Leaves at most so many rows, the first and the newest among them. */
  private thin(most: number): void {
    while (this.rows > Math.max(2, most)) {
      const recent = this.rows - Math.max(1, Math.min(this.rows, Math.floor(RECENT * most)));
      const kept: number[] = [];
      for (let row = 0; row < this.rows; row++) {
        if (row >= recent || (this.ordinals[row] as number) % this.stride === 0) kept.push(row);
      }
      if (kept.length === this.rows) this.stride *= 2;
      else this.keep(kept);
    }
  }

  /** Keeps the rows at these places, which ascend, and forgets the others. */
  private keep(kept: readonly number[]): void {
    kept.forEach((row, to) => {
      this.stepNumbers[to] = this.stepNumbers[row] as number;
      this.ordinals[to] = this.ordinals[row] as number;
    });
    for (const { values } of this.columns) {
      for (let to = 0; to < kept.length; to++) values[to] = values[kept[to] as number] as number;
      values.fill(Number.NaN, kept.length);
    }
    this.rows = kept.length;
  }

  private resize(capacity: number): void {
    const grown = (values: Float64Array) => {
      const resized = new Float64Array(capacity);
      resized.set(values.subarray(0, this.rows));
      return resized;
    };
    this.stepNumbers = grown(this.stepNumbers);
    this.ordinals = grown(this.ordinals);
    for (const column of this.columns) {
      const values = new Float32Array(capacity).fill(Number.NaN);
      values.set(column.values.subarray(0, this.rows));
      column.values = values;
    }
  }
}
