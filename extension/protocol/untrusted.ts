import type { StepChoice, StepRange } from './stepChoice';

const LONGEST_TEXT = 4_096;

export type UnknownRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null;

export const isId = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= LONGEST_TEXT;

/** A whole number from 1 to `most`. */
export const within = (value: unknown, most: number): value is number =>
  isId(value) && value >= 1 && value <= most;

export function parseStep(value: unknown): StepChoice | undefined {
  if (value === 'live') return value;
  return isId(value) ? value : undefined;
}

/** First and last step, in order; undefined for anything else. */
export function parseRange(value: unknown): StepRange | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [first, last]: unknown[] = value;
  return isId(first) && isId(last) && first <= last ? [first, last] : undefined;
}
