import { readFileSync } from 'node:fs';

/** Number, counted from 1, of the first line that matches. */
export function lineOf(file: string, pattern: RegExp): number {
  const index = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => pattern.test(line));
  if (index < 0) throw new Error(`${file} has no line that matches ${pattern}.`);
  return index + 1;
}

/** Numbers, counted from 1, of all lines that match. */
export function linesOf(file: string, pattern: RegExp): readonly number[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? index + 1 : []));
}
