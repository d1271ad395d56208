/** Numbers as the panel writes them: true minus sign, three significant digits, thousands commas. */

const MINUS = '\u2212';
/** Stands for a figure that is not known. */
export const UNKNOWN = '–';

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

function magnitude(value: number): string {
  if (value === 0) return '0';
  if (value < 1e-3 || value >= 1e6) {
    const [mantissa = '', exponent = ''] = value.toExponential(2).split('e');
    const power = Number(exponent);
    return `${mantissa}e${power < 0 ? MINUS : ''}${Math.abs(power)}`;
  }
  if (value >= 999.5) return grouped(String(Math.round(value)));
  return value.toPrecision(3);
}

/** A measured value in three significant digits. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return UNKNOWN;
  if (!Number.isFinite(value)) return value < 0 ? `${MINUS}∞` : '∞';
  return (value < 0 ? MINUS : '') + magnitude(Math.abs(value));
}

/** A whole number: a count, a step, a size. */
export function formatCount(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return UNKNOWN;
  return (value < 0 ? MINUS : '') + grouped(String(Math.round(Math.abs(value))));
}

/** A position on an axis: as short as it can be, so that ticks read as round numbers. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    const [mantissa = '', exponent = ''] = size.toExponential(1).split('e');
    const power = Number(exponent);
    const short = mantissa.replace(/\.0$/, '');
    return `${value < 0 ? MINUS : ''}${short}e${power < 0 ? MINUS : ''}${Math.abs(power)}`;
  }
  const [whole = '', fraction] = String(Number(size.toPrecision(4))).split('.');
  return (value < 0 ? MINUS : '') + grouped(whole) + (fraction ? `.${fraction}` : '');
}

/** A constant such as ε as people write it: 1e−5, not 1.00e−5. */
export function formatConstant(value: number): string {
  if (value === 0) return '0';
  const [mantissa = '', exponent = ''] = Number(value.toPrecision(3)).toExponential().split('e');
  const power = Number(exponent);
  if (power > -4 && power < 6) return formatTick(value);
  return `${mantissa.replace('-', MINUS)}e${power < 0 ? MINUS : ''}${Math.abs(power)}`;
}

/** A share in percent: two digits are enough. */
export function formatPercent(value: number | null): string {
  return value === null ? UNKNOWN : formatTick(Number(value.toPrecision(2)));
}
