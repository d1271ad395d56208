/**
 * Whether `name` fits one of the patterns, in which `*` stands for any text and `?` for any
 * character; no pattern fits every name. Takes time in proportion to both lengths.
 */
export function fitsPatterns(name: string, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => fitsPattern(name, pattern));
}

/** Whether `name` fits one pattern as a whole. */
export function fitsPattern(name: string, pattern: string): boolean {
  let [at, place] = [0, 0];
  // Where the last star is, and how much of the name it stands for.
  let [star, taken] = [-1, 0];
  while (at < name.length) {
    const wanted = pattern[place];
    if (wanted === '*') {
      [star, taken] = [place++, at];
    } else if (wanted === '?' || wanted === name[at]) {
      at++;
      place++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}
