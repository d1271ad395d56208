/** Numbers as one line of an editor has room for them: a true minus sign, few digits. */

const MINUS = '\u2212';
/** Stands for a figure that is not known. */
export const UNKNOWN = '–';

const signed = (text: string): string => text.replaceAll('-', MINUS);

/**
 * A measured value in three significant digits, or two where it is very small or large: `1.31`,
 * `0.0204`, `1.2e−5`, `4,096`.
 */
export function figureText(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return UNKNOWN;
  if (!Number.isFinite(value)) return value < 0 ? `${MINUS}∞` : '∞';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 1e-3 || size >= 1e6) return signed(value.toExponential(1).replace('e+', 'e'));
  if (size >= 999.5) return countText(value);
  return signed(value.toPrecision(3));
}

/** A figure that is read at a glance, to two decimals: what is smaller than these is near zero. */
export function shortFigure(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return figureText(value);
  const size = Math.abs(value);
  if (size >= 0.0095 && size < 99.995) return signed(value.toFixed(2));
  return size >= 1e-3 && size < 1 ? signed(value.toPrecision(1)) : figureText(value);
}

/** Of a standard deviation: a mean below this share of it is zero but for rounding. */
const NEAR_ZERO = 1 / 200;

/** A mean to two decimals, or 0 where it is nothing beside the standard deviation around it. */
export const meanText = (mean: number, std: number): string =>
  Math.abs(mean) < NEAR_ZERO * std ? '0' : shortFigure(mean);

/** A whole number: a count, a step, a size. */
export function countText(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return UNKNOWN;
  return signed(String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ','));
}

/** A share from 0 to 1 as a number of percent, without the sign. */
export function percentText(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return UNKNOWN;
  return signed(String(Number((100 * share).toPrecision(2))));
}
