import { RULES } from '../../protocol/alerts';
import { TAPS } from '../../protocol/layers';
import {
  NON_FINITE,
  type TensorCondition,
  type TensorFilter,
} from '../../protocol/tensorBreakpoints';

/** What is wrong with a condition. */
export type ConditionProblem =
  | { readonly kind: 'unknown-word'; readonly word: string; readonly known: readonly string[] }
  | { readonly kind: 'no-value'; readonly word: string }
  | { readonly kind: 'no-number'; readonly word: string; readonly value: string }
  | {
      readonly kind: 'unknown-value';
      readonly word: string;
      readonly value: string;
      readonly known: readonly string[];
    }
  | { readonly kind: 'twice'; readonly word: string }
  | { readonly kind: 'too-long' };

export type ParsedCondition =
  | { readonly condition: TensorCondition; readonly problem?: undefined }
  | { readonly condition?: undefined; readonly problem: ConditionProblem };

/** What a filter stops for when it has no condition. */
export const NO_CONDITION: TensorCondition = {
  layers: [],
  taps: [],
  above: null,
  below: null,
  after: -1,
  hits: 1,
  allow: [],
  rules: [],
};

const COMMON = ['layers', 'after', 'hits'];
const WORDS: Readonly<Record<TensorFilter, readonly string[]>> = {
  nonfinite: [...COMMON, 'taps', 'allow'],
  'dead-feature': [...COMMON, 'above'],
  drift: [...COMMON, 'above'],
  saturated: [...COMMON, 'above'],
  gradient: [...COMMON, 'above', 'below'],
  'bn-train-eval-gap': [...COMMON, 'above'],
  rule: [...COMMON, 'taps', 'rules'],
};

const MAX_LENGTH = 1_000;
const MAX_PATTERNS = 32;
const MAX_COUNT = 1e12;

/** The words that a filter's condition may have. */
export const wordsOf = (filter: TensorFilter): readonly string[] => WORDS[filter];

class Problem extends Error {
  constructor(readonly problem: ConditionProblem) {
    super(problem.kind);
  }
}

/**
 * Reads a condition such as `layers: encoder.*.norm?; above: 0.5; after: step 100; hits: 3`: words
 * with a value each, divided by semicolons; lists are divided by commas. Empty text is no condition.
 */
export function parseCondition(filter: TensorFilter, text: string): ParsedCondition {
  try {
    return { condition: read(filter, text) };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.problem };
    throw error;
  }
}

function read(filter: TensorFilter, text: string): TensorCondition {
  if (text.length > MAX_LENGTH) throw new Problem({ kind: 'too-long' });
  const given = new Set<string>();
  let condition = NO_CONDITION;
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const [, name = '', value = ''] = /^\s*([^:=]*?)\s*(?:[:=]\s*(.*?)\s*)?$/su.exec(part) ?? [];
    const word = known('', name.toLowerCase(), WORDS[filter]);
    if (value === '') throw new Problem({ kind: 'no-value', word });
    if (given.has(word)) throw new Problem({ kind: 'twice', word });
    given.add(word);
    condition = { ...condition, ...valueOf(word, value) };
  }
  return condition;
}

function valueOf(word: string, value: string): Partial<TensorCondition> {
  switch (word) {
    case 'layers':
      return { layers: listOf(word, value) };
    case 'taps':
      return { taps: listOf(word, value).map((tap) => known(word, tap, TAPS)) };
    case 'allow':
      return {
        allow: listOf(word, value).map((kind) => known(word, kind.toLowerCase(), NON_FINITE)),
      };
    case 'rules':
      return { rules: listOf(word, value).map((rule) => known(word, rule, RULES)) };
    case 'after':
      return { after: count(word, value.replace(/^step\s*/iu, '')) };
    case 'hits':
      return { hits: Math.max(1, count(word, value)) };
    default:
      return { [word]: number(word, value) };
  }
}

function listOf(word: string, value: string): readonly string[] {
  const entries = value.split(',').map((entry) => entry.trim());
  const list = entries.filter((entry) => entry !== '');
  if (list.length === 0) throw new Problem({ kind: 'no-value', word });
  if (list.length > MAX_PATTERNS) throw new Problem({ kind: 'too-long' });
  return list;
}

function known<T extends string>(word: string, value: string, values: readonly T[]): T {
  const found = values.find((one) => one.toLowerCase() === value.toLowerCase());
  if (found !== undefined) return found;
  throw new Problem(
    word === ''
      ? { kind: 'unknown-word', word: value, known: values }
      : { kind: 'unknown-value', word, value, known: values },
  );
}

function number(word: string, value: string): number {
  const parsed = /^[-+.\d]/u.test(value) ? Number(value.replace(/%$/u, '')) : Number.NaN;
  if (!Number.isFinite(parsed)) throw new Problem({ kind: 'no-number', word, value });
  return value.endsWith('%') ? parsed / 100 : parsed;
}

function count(word: string, value: string): number {
  const parsed = number(word, value);
  if (!Number.isInteger(parsed) || parsed < 0 || parsed > MAX_COUNT) {
    throw new Problem({ kind: 'no-number', word, value });
  }
  return parsed;
}
