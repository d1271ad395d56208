import type { Sums } from './sums';
import {
  doWhile,
  f32x4,
  f64x2,
  i32,
  i32x4,
  Locals,
  moduleOf,
  upperHalf,
  v128,
  type Code,
} from './wasm';

/** Smallest normal float32. */
const NORMAL = 2 ** -126;
/** Values in a vector of float32. */
const LANES = 4;
/** Most features of a row, most rows and most values in the memory at a time. */
const MAX_FEATURES = 4096;
const MAX_ROWS = 1024;
const MAX_VALUES = 4 * MAX_FEATURES;

// Where things lie in the memory: bytes.
const TOTALS = 0;
const LOW = 64;
const HIGH = LOW + 4 * MAX_FEATURES;
const SUMS = HIGH + 4 * MAX_FEATURES;
const SQUARES = SUMS + 8 * MAX_FEATURES;
/** Of each row two partial sums and two of squares. */
const ROWS = SQUARES + 8 * MAX_FEATURES;
const ROW_BYTES = 32;
const VALUES = ROWS + ROW_BYTES * MAX_ROWS;
const PAGES = Math.ceil((VALUES + 4 * MAX_VALUES) / 65_536);

const locals = new Locals(
  {
    /** Bytes of all values in the memory, of a row, and of as many of its values as are summed. */
    bytes: 'i32',
    rowBytes: 'i32',
    usedBytes: 'i32',
    centre: 'f64',
  },
  {
    /** Bytes from the beginning: of the row's first value, of the value, of its feature's sums. */
    first: 'i32',
    value: 'i32',
    feature: 'i32',
    featureSums: 'i32',
    row: 'i32',
    c: 'v128',
    x: 'v128',
    a: 'v128',
    b: 'v128',
    aa: 'v128',
    bb: 'v128',
    sum: 'v128',
    squares: 'v128',
    cubes: 'v128',
    fourths: 'v128',
    zeros: 'v128',
    tiny: 'v128',
  },
);

type Name = Parameters<typeof locals.get>[0];
const get = (name: Name) => locals.get(name);
const set = (name: Name, value: Code) => locals.set(name, value);
const { add, sub, mul } = f64x2;

const advance = (name: Name, bytes: Code) => set(name, i32.add(get(name), bytes));
const addTo = (name: Name, value: Code) => set(name, add(get(name), value));
const count = (name: Name, lanes: Code) => set(name, i32x4.sub(get(name), lanes));
/** Changes the vector at an address. */
const change = (at: Name, offset: number, by: (old: Code) => Code) =>
  v128.store(get(at), by(v128.load(get(at), offset)), offset);

/** Four values of a row, as d = x - centre in float64: the first two are a, the others b. */
const FOUR_VALUES = [
  set('x', v128.load(get('value'), VALUES)),
  count('zeros', f32x4.eq(get('x'), f32x4.splat(0))),
  count('tiny', f32x4.lt(f32x4.abs(get('x')), f32x4.splat(NORMAL))),
  change('feature', LOW, (low) => f32x4.pmin(low, get('x'))),
  change('feature', HIGH, (high) => f32x4.pmax(high, get('x'))),
  set('a', sub(f64x2.promoteLow(get('x')), get('c'))),
  set('b', sub(f64x2.promoteLow(upperHalf(get('x'))), get('c'))),
  set('aa', mul(get('a'), get('a'))),
  set('bb', mul(get('b'), get('b'))),
  addTo('sum', add(get('a'), get('b'))),
  addTo('squares', add(get('aa'), get('bb'))),
  addTo('cubes', add(mul(get('aa'), get('a')), mul(get('bb'), get('b')))),
  addTo('fourths', add(mul(get('aa'), get('aa')), mul(get('bb'), get('bb')))),
  change('featureSums', SUMS, (old) => add(old, get('a'))),
  change('featureSums', SUMS + 16, (old) => add(old, get('b'))),
  change('featureSums', SQUARES, (old) => add(old, get('aa'))),
  change('featureSums', SQUARES + 16, (old) => add(old, get('bb'))),
  advance('value', i32.constant(16)),
  advance('feature', i32.constant(16)),
  advance('featureSums', i32.constant(32)),
].flat();

const ROW = [
  set('value', get('first')),
  set('feature', i32.constant(0)),
  set('featureSums', i32.constant(0)),
  set('sum', f64x2.zero),
  set('squares', f64x2.zero),
  doWhile(FOUR_VALUES, i32.lt(get('feature'), get('usedBytes'))),
  v128.store(get('row'), get('sum'), ROWS),
  v128.store(get('row'), get('squares'), ROWS + 16),
  advance('row', i32.constant(ROW_BYTES)),
  advance('first', get('rowBytes')),
].flat();

const TOTALS_BY_NAME = ['cubes', 'fourths', 'zeros', 'tiny'] as const;
const start = i32.constant(0);

/** Adds the rows in the memory to the totals and to the sums of their features. */
const ROWS_OF_VALUES = [
  set('c', f64x2.splat(get('centre'))),
  ...TOTALS_BY_NAME.map((name, at) => set(name, v128.load(start, TOTALS + 16 * at))),
  doWhile(ROW, i32.lt(get('first'), get('bytes'))),
  ...TOTALS_BY_NAME.map((name, at) => v128.store(start, get(name), TOTALS + 16 * at)),
].flat();

type Run = (bytes: number, rowBytes: number, usedBytes: number, centre: number) => void;

interface Kernel {
  readonly run: Run;
  readonly memory: ArrayBuffer;
}

/** Null where this Node has no WebAssembly, none with vectors, or may not compile any. */
function instantiate(): Kernel | null {
  try {
    const module = new WebAssembly.Module(moduleOf(locals, ROWS_OF_VALUES, PAGES));
    const { run, memory } = new WebAssembly.Instance(module).exports;
    if (typeof run !== 'function' || !(memory instanceof WebAssembly.Memory)) return null;
    return { run: run as Run, memory: memory.buffer };
  } catch {
    return null;
  }
}

let kernel: Kernel | null | undefined;

/** Sums `width` features from `first` on, as many rows at a time as the memory holds. */
function sumFeatures(
  { run, memory }: Kernel,
  values: Float32Array,
  into: Sums,
  first: number,
  width: number,
): void {
  const { featureSum, featureSquares, rowSum, rowSquares, min, max } = into;
  const features = featureSum.length;
  const totals = new Float64Array(memory, TOTALS, 8).fill(0);
  const low = new Float32Array(memory, LOW, width).fill(Infinity);
  const high = new Float32Array(memory, HIGH, width).fill(-Infinity);
  const sums = new Float64Array(memory, SUMS, width).fill(0);
  const squares = new Float64Array(memory, SQUARES, width).fill(0);
  const perRow = new Float64Array(memory, ROWS, 4 * MAX_ROWS);
  const some = new Float32Array(memory, VALUES, MAX_VALUES);
  const atOnce = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_VALUES / features)));
  for (let row = 0; row < rowSum.length; row += atOnce) {
    const rows = Math.min(atOnce, rowSum.length - row);
    const begin = row * features + first;
    const length = (rows - 1) * features + width;
    some.set(values.subarray(begin, begin + length));
    run(4 * length, 4 * features, 4 * width, into.centre);
    for (let r = row, at = 0; r < row + rows; r += 1, at += 4) {
      const sum = (perRow[at] as number) + (perRow[at + 1] as number);
      const sumOfSquares = (perRow[at + 2] as number) + (perRow[at + 3] as number);
      rowSum[r] = (rowSum[r] as number) + sum;
      rowSquares[r] = (rowSquares[r] as number) + sumOfSquares;
    }
  }
  featureSum.set(sums, first);
  featureSquares.set(squares, first);
  min.set(low, first);
  max.set(high, first);
  const [cubes0 = 0, cubes1 = 0, fourths0 = 0, fourths1 = 0] = totals;
  into.s3 += cubes0 + cubes1;
  into.s4 += fourths0 + fourths1;
  const counts = new Int32Array(memory, TOTALS + 32, 2 * LANES);
  for (let lane = 0; lane < LANES; lane += 1) {
    into.zero += counts[lane] as number;
    into.tiny += counts[LANES + lane] as number;
  }
}

/**
 * Sums rows that have one value a feature, four values at a time, in float64 as everywhere. Where
 * the number of features is no multiple of four, the last ones are left to others.
 * @param into all but the sums of samples and `s1` and `s2`, which follow from those of rows.
 * @returns how many features, from the first on, it summed; 0 where there are no vectors.
 */
export function sumByVectors(values: Float32Array, into: Sums): number {
  const features = into.featureSum.length;
  const summed = features - (features % LANES);
  if (kernel === undefined) kernel = instantiate();
  if (kernel === null) return 0;
  for (let first = 0; first < summed; first += MAX_FEATURES) {
    sumFeatures(kernel, values, into, first, Math.min(MAX_FEATURES, summed - first));
  }
  return summed;
}
