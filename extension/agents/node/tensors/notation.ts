/** Numbers, shapes and small distributions as text; the same signs as in Python sessions. */

const MINUS = '\u2212';
const BARS = '▁▂▃▄▅▆▇█';
const DIGITS = 3;
/** Bins of a drawn distribution. */
export const SPARK_BINS = 7;

const withMinus = (text: string) => text.replaceAll('-', MINUS);

/** Three significant digits as `%.3g` gives them: no trailing zeros, an exponent where it is short. */
function significant(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential(DIGITS - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < DIGITS) {
    const plain = value.toFixed(DIGITS - 1 - power);
    return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain;
  }
  const mantissa = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  return `${mantissa}e${exponent}`;
}

/** A float with three significant digits; whole where it has four to six. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${MINUS}∞`;
  if (value === 0) return '0';
  const size = Math.abs(value);
  const plain = size < 1e6 && (size >= 1000 || Number.isInteger(value));
  return withMinus(plain ? value.toFixed(0) : significant(value));
}

/** An integer, whole. */
export const wholeText = (value: number): string => withMinus(String(value));

/** With groups of three digits. */
export const countText = (value: number): string => value.toLocaleString('en-US');

export const shapeText = (sizes: readonly number[]): string => `[${sizes.join(', ')}]`;

/** How many of the values fall into each of {@link SPARK_BINS} equal parts of low … high. */
export function binsOf(values: readonly number[], low: number, high: number): number[] {
  const counts = new Array<number>(SPARK_BINS).fill(0);
  // Halved, since the difference of two floats may be more than a float can hold.
  const width = high / 2 - low / 2;
  if (!(width > 0)) return counts;
  for (const value of values) {
    if (!(value >= low && value <= high)) continue;
    const bin = Math.floor(((value / 2 - low / 2) / width) * SPARK_BINS);
    const at = Math.min(SPARK_BINS - 1, bin);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

/** A bar for each bin, the fullest at full height; nothing for no values. */
export function spark(counts: readonly number[]): string {
  const top = Math.max(...counts);
  if (top === 0) return '';
  return counts.map((n) => BARS[Math.ceil((n * (BARS.length - 1)) / top)]).join('');
}
