/** A float format, as far as the classes of its values go. */
export interface FloatFormat {
  /** Smallest positive number that is not subnormal. */
  readonly smallestNormal: number;
  /** Largest finite number. */
  readonly largest: number;
}

export const FLOAT16: FloatFormat = { smallestNormal: 2 ** -14, largest: 65504 };
export const FLOAT32: FloatFormat = {
  smallestNormal: 2 ** -126,
  largest: (2 - 2 ** -23) * 2 ** 127,
};

/** How many values are of which kind; `subnormal`, `positive` and `negative` are counts of finite ones. */
export interface ValueClasses {
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  /** Both zeros. */
  readonly zero: number;
  readonly subnormal: number;
  readonly positive: number;
  readonly negative: number;
  readonly finite: number;
  /** Largest absolute finite value as a share of the format's largest. */
  readonly headroom: number;
}

/** @param values - numbers that the format holds */
export function valueClasses(values: ArrayLike<number>, format: FloatFormat): ValueClasses {
  const list = Array.from(values);
  const count = (test: (value: number) => boolean) => list.filter(test).length;
  const finite = list.filter(Number.isFinite);
  const largest = finite.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return {
    nan: count(Number.isNaN),
    positiveInfinity: count((value) => value === Number.POSITIVE_INFINITY),
    negativeInfinity: count((value) => value === Number.NEGATIVE_INFINITY),
    zero: count((value) => value === 0),
    subnormal: count((value) => value !== 0 && Math.abs(value) < format.smallestNormal),
    positive: finite.filter((value) => value > 0).length,
    negative: finite.filter((value) => value < 0).length,
    finite: finite.length,
    headroom: largest / format.largest,
  };
}

/** The number that 16 bits are in IEEE 754 binary16. */
export function float16FromBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
