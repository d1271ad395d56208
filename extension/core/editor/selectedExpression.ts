import { isMemberPath, readExpression, type ExpressionReading } from './expressionReading';

/** Longest expression that is evaluated. */
const LONGEST = 1_000;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*/gu;

/** An expression that the person points at, and what it takes to evaluate it. */
export interface SelectedExpression extends ExpressionReading {
  readonly text: string;
}

/** The language that an expression is in. */
export type ExpressionLanguage = 'python' | 'javascript';

/** What is selected, in one line; undefined for nothing, and for what is too long to be meant. */
export function selectedExpression(
  selection: string,
  language: ExpressionLanguage = 'python',
): SelectedExpression | undefined {
  const text = selection.replace(/\s+/gu, ' ').trim();
  if (text === '' || text.length > LONGEST) return undefined;
  if (language === 'javascript') return { text, runsCode: !isMemberPath(text), indexed: [] };
  return { text, ...readExpression(text) };
}

/** The name at a column of a line, with those before its dots: of `self.norm.weight` at `norm`, `self.norm`. */
export function nameAt(line: string, column: number): SelectedExpression | undefined {
  for (const { 0: name, index } of line.matchAll(NAME)) {
    if (column < index || column > index + name.length) continue;
    const end = name.indexOf('.', column - index);
    const text = end < 0 ? name : name.slice(0, end);
    return text === '' ? undefined : { text, runsCode: false, indexed: [] };
  }
  return undefined;
}

/** Whether a debugger's text is that of a tensor or array: its dtype and shape come first. */
export const isTensorText = (text: string): boolean =>
  /^[a-z][\w.]*\[(\d+(, \d+)*)?\]( |$)/u.test(text);
