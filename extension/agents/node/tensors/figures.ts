import { binsOf } from './notation';

/** Values that are looked at for the drawn distribution. */
const DRAWN = 1024;

/** Statistics of the elements that were read. Mean, deviation and range are of finite ones. */
export interface Figures {
  readonly read: number;
  readonly nan: number;
  readonly infinite: number;
  readonly finite: number;
  readonly mean: number;
  /** Square root of the biased variance. */
  readonly deviation: number;
  readonly low: number;
  readonly high: number;
  /** How often values fall into equal parts of low … high. */
  readonly bins: readonly number[];
  /** Features that have one value throughout; null where they were not looked at. */
  readonly dead: number | null;
}

/**
 * Every `step`th element as a real number.
 * @param values of complex numbers real and imaginary parts in turn; their magnitude is taken.
 */
export function elementsOf(
  values: ArrayLike<number>,
  step: number,
  complex: boolean,
): ArrayLike<number> {
  if (step === 1 && !complex) return values;
  const stored = complex ? values.length / 2 : values.length;
  const elements = new Float64Array(Math.ceil(stored / step));
  for (let at = 0; at < elements.length; at += 1) {
    const from = at * step;
    elements[at] = complex
      ? Math.hypot(Number(values[2 * from]), Number(values[2 * from + 1]))
      : Number(values[from]);
  }
  return elements;
}

function deadOf(elements: ArrayLike<number>, features: number): number {
  const varies = new Uint8Array(features);
  for (let row = 0; row < elements.length; row += features) {
    for (let feature = 0; feature < features; feature += 1) {
      // NaN is unlike itself, so that a feature which holds some counts as varying.
      if (elements[row + feature] !== elements[feature]) varies[feature] = 1;
    }
  }
  return varies.reduce((dead, flag) => dead - flag, features);
}

/**
 * Statistics in float64, the deviation about the mean in a second pass.
 * @param features length of the last axis, to count dead features; 0 for not.
 */
export function figuresOf(elements: ArrayLike<number>, features: number): Figures {
  const read = elements.length;
  let [nan, infinite, sum, low, high] = [0, 0, 0, Infinity, -Infinity];
  for (let at = 0; at < read; at += 1) {
    const value = Number(elements[at]);
    // Not a number, where it is not finite.
    if (value - value === 0) {
      sum += value;
      if (value < low) low = value;
      if (value > high) high = value;
    } else if (Number.isNaN(value)) nan += 1;
    else infinite += 1;
  }
  const finite = read - nan - infinite;
  const mean = sum / finite;
  let squares = 0;
  for (let at = 0; at < read; at += 1) {
    const off = Number(elements[at]) - mean;
    if (off - off === 0) squares += off * off;
  }
  const every = Math.max(1, Math.ceil(read / DRAWN));
  const drawn = Math.ceil(read / every);
  const some = Array.from({ length: drawn }, (_, at) => Number(elements[at * every]));
  return {
    read,
    nan,
    infinite,
    finite,
    mean,
    deviation: Math.sqrt(squares / finite),
    low,
    high,
    bins: binsOf(some, low, high),
    dead: features > 0 ? deadOf(elements, features) : null,
  };
}
