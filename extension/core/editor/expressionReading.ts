/** What an expression would do to be evaluated. */
export interface ExpressionReading {
  /** Whether code of the program's runs, whatever its values are. */
  readonly runsCode: boolean;
  /** What is indexed, in the order in which it has to be looked at: code runs where it is no plain container. */
  readonly indexed: readonly string[];
}

/** Words that stand before an operand, and are none themselves. */
const KEYWORDS = new Set(['and', 'or', 'not', 'is', 'if', 'else', 'None', 'True', 'False']);
/** Those that iterate over a value, which may use it up, among them. */
const RUNS_CODE = new Set(['for', 'in', 'await', 'yield', 'lambda', 'async']);
const CONSTANTS = new Set(['None', 'True', 'False']);

const SPACE = /\s+/uy;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER =
  /(?:0[xX][\da-fA-F_]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[jJ]?)(?![\p{L}\p{N}_])/uy;
/** Without a backslash: what one means depends on the prefix. */
const STRING = /[rRbBuU]{0,2}(?:'[^'\\\n]*'|"[^"\\\n]*")/uy;
const MEMBER = /\s*\.\s*[\p{L}_][\p{L}\p{N}_]*/uy;
/** Numbers, texts, slices and the like, of any rank. */
const CONSTANT_INDEX =
  /\s*\[(?:[\s\d:,.+-]|\b(?:None|Ellipsis|True|False)\b|[rRbBuU]{0,2}'[^'\\\n]*'|[rRbBuU]{0,2}"[^"\\\n]*")+\]/uy;
const OPERATOR = /:=|\*\*|[-+*/%@<>=!&|^~,:.]/uy;
const CODE: ExpressionReading = { runsCode: true, indexed: [] };

/**
 * Reads a Python expression: names, attributes, constant indices, numbers, texts, brackets and operators
 * count as no code of the program's, but for what is indexed. What its classes do for attributes and
 * operators is not known here. Anything else counts as code.
 */
export function readExpression(text: string): ExpressionReading {
  const indexed: string[] = [];
  let at = 0;
  /** Whether what stands before is a value, which a bracket would call or index. */
  let value = false;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  };
  /** Attributes and indices behind a name. */
  const path = (from: number): void => {
    for (;;) {
      if (take(MEMBER) !== undefined) continue;
      const base = text.slice(from, at);
      if (take(CONSTANT_INDEX) === undefined) return;
      indexed.push(base);
    }
  };
  while (at < text.length) {
    if (take(SPACE) !== undefined) continue;
    const from = at;
    if (take(STRING) !== undefined || take(NUMBER) !== undefined) {
      if (value) return CODE;
      value = true;
      continue;
    }
    const name = take(NAME);
    if (name !== undefined) {
      if (RUNS_CODE.has(name)) return CODE;
      if (KEYWORDS.has(name)) value = CONSTANTS.has(name);
      else {
        if (value) return CODE;
        path(from);
        value = true;
      }
      continue;
    }
    const bracket = text[at];
    if (bracket === '(' || bracket === '[') {
      if (value) return CODE;
      at++;
    } else if (bracket === ')' || bracket === ']') {
      value = true;
      at++;
    } else {
      const operator = take(OPERATOR);
      // An attribute of what is not a name, as of a bracket, is one of a name's kind only by its value.
      if (operator === undefined || operator === ':=' || operator === '.') return CODE;
      // In front of a value a star takes all that it iterates over.
      if (operator.startsWith('*') && !value) return CODE;
      value = false;
    }
  }
  return { runsCode: false, indexed };
}

/** Whether a JavaScript expression is a name, or members of one. */
export const isMemberPath = (text: string): boolean =>
  /^[\p{L}_$][\p{L}\p{N}_$]*(?:\s*\??\.\s*#?[\p{L}_$][\p{L}\p{N}_$]*)*$/u.test(text);

/** Containers and tensors, by module and name of their class, that are indexed without code of the program's. */
export const isPlainContainer = (className: string): boolean =>
  /^(builtins\.(list|tuple|dict)|torch\.Tensor|torch\.nn\.parameter\.(Parameter|Buffer)|numpy\.ndarray|tensorflow\.[\w.]*\.(EagerTensor|ResourceVariable)|jaxlib\.[\w.]*\.ArrayImpl)$/u.test(
    className,
  );
