/** Where names stand in Python code: not in strings, comments or keywords. */

export interface NamePlace {
  /** A name, or names with dots between such as `self.weight`. */
  readonly name: string;
  /** Counted from 0. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except ' +
    'finally for from global if import in is lambda nonlocal not or pass raise return try while ' +
    'with yield match case'
  ).split(' '),
);

const TOKEN =
  /(?<text>[rRbBuUfF]{0,2}(?:"""|'''|"|'))|(?<comment>#.*)|(?<name>[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)|(?<number>\d[\w.]*)/gu;

/** Where a string that begins in a line ends in it; undefined where it goes on. */
function endOfText(line: string, from: number, quote: string): number | undefined {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line.startsWith(quote, at)) return at + quote.length;
  }
  return undefined;
}

/**
 * All names in some lines of Python.
 * @param lines - from one at which no string is open
 */
export function pythonNames(lines: readonly string[]): readonly NamePlace[] {
  const places: NamePlace[] = [];
  let open: string | undefined;
  lines.forEach((line, number) => {
    let from = 0;
    if (open !== undefined) {
      const end = endOfText(line, 0, open);
      if (end === undefined) return;
      [open, from] = [undefined, end];
    }
    TOKEN.lastIndex = from;
    for (let match = TOKEN.exec(line); match; match = TOKEN.exec(line)) {
      const { text, name } = match.groups ?? {};
      const end = match.index + match[0].length;
      if (text !== undefined) {
        const quote = text.replace(/^[a-zA-Z]+/, '');
        const closed = endOfText(line, end, quote);
        if (closed === undefined) {
          // A short string that goes on is a mistake, or a line that the next continues.
          if (quote.length === 3) open = quote;
          return;
        }
        TOKEN.lastIndex = closed;
      } else if (name !== undefined && isValue(line, match.index, end, name)) {
        places.push({ name, line: number, start: match.index, end });
      }
    }
  });
  return places;
}

/** Not a keyword, not an attribute of something that has no name, not called, not `name=` of a call. */
function isValue(line: string, start: number, end: number, name: string): boolean {
  if (KEYWORDS.has(name) || line[start - 1] === '.') return false;
  return !/^\s*\(/.test(line.slice(end)) && !/^(def|class|import|from)\b/.test(line.trimStart());
}

const indentOf = (line: string) => line.length - line.trimStart().length;

/**
 * First line of the function that a line lies in, counted from 0; 0 at the top level. Names further
 * up are those of another frame.
 */
export function functionStart(lineAt: (line: number) => string, line: number): number {
  let least = indentOf(lineAt(line));
  for (let at = line; at >= 0; at--) {
    const text = lineAt(at);
    if (text.trim() === '' || text.trimStart().startsWith('#')) continue;
    if (/^\s*(async\s+)?def\s/.test(text) && (indentOf(text) < least || at === line)) return at;
    least = Math.min(least, indentOf(text));
  }
  return 0;
}
