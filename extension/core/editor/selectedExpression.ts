/** Longest expression that is evaluated. */
const LONGEST = 1_000;
const NAME = /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu;
/** A name, an index or a call, called; also an assignment within an expression. */
const CALL = /[\p{L}\p{N}_\])"']\s*\(|:=/u;
const KEYWORD_BEFORE = /\b(and|or|not|in|is|if|else|for|lambda|yield|await|return)\s*\($/u;

/** An expression that the person points at. */
export interface SelectedExpression {
  readonly text: string;
  /** Whether evaluating it runs code of the program's. */
  readonly runsCode: boolean;
}

/** What is selected, in one line; undefined for nothing, and for what is too long to be meant. */
export function selectedExpression(selection: string): SelectedExpression | undefined {
  const text = selection.replace(/\s+/gu, ' ').trim();
  if (text === '' || text.length > LONGEST) return undefined;
  return { text, runsCode: runsCode(text) };
}

/** The name at a column of a line, with those before its dots: of `self.norm.weight` at `norm`, `self.norm`. */
export function nameAt(line: string, column: number): SelectedExpression | undefined {
  for (const { 0: name, index } of line.matchAll(NAME)) {
    if (column < index || column > index + name.length) continue;
    const end = name.indexOf('.', column - index);
    const text = end < 0 ? name : name.slice(0, end);
    return text === '' ? undefined : { text, runsCode: false };
  }
  return undefined;
}

function runsCode(text: string): boolean {
  if (/\b(await|yield|for)\b/u.test(text)) return true;
  for (const match of text.matchAll(new RegExp(CALL, 'gu'))) {
    if (!KEYWORD_BEFORE.test(text.slice(0, match.index + match[0].length))) return true;
  }
  return false;
}

/** Whether a debugger's text is that of a tensor or array: its dtype and shape come first. */
export const isTensorText = (text: string): boolean =>
  /^[a-z][\w.]*\[(\d+(, \d+)*)?\]( |$)/u.test(text);
