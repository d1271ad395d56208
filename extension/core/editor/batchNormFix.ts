import type { Alert } from '../../protocol/alerts';

/** A part of one line, and what stands there instead; columns are counted from 0. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Behind the parenthesis that closes the one at `open`; −1 where the line ends before. */
function closing(line: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let i = open; i < line.length; i++) {
    const character = line.charAt(i);
    if (quote !== '') {
      if (character === '\\') i++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '#') return -1;
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth === 0) return i + 1;
  }
  return -1;
}

/** Arguments at the top level of a call, trimmed. */
function argumentsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  for (let i = 0; i <= text.length; i++) {
    const character = text.charAt(i);
    if ('([{'.includes(character) && character !== '') depth++;
    if (')]}'.includes(character) && character !== '') depth--;
    if (i === text.length || (character === ',' && depth === 0)) {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  return parts.filter((part) => part !== '');
}

const KEYWORD = /^(\w+)\s*=\s*([\s\S]+)$/;
/** Of BatchNorm1d, in the order in which they may be given without their names. */
const PARAMETERS = ['num_features', 'eps', 'momentum', 'affine', 'track_running_stats'];
/** What LayerNorm calls the same. */
const RENAMED: Readonly<Record<string, string>> = {
  eps: 'eps',
  affine: 'elementwise_affine',
  device: 'device',
  dtype: 'dtype',
};

type AxisMistake = Pick<Alert, 'value' | 'limit'>;

/**
 * LayerNorm over the last axis in place of a BatchNorm1d that takes axis 1 for its channels: for
 * the line in which `something.BatchNorm1d(…)` stands with all its arguments. Undefined where that
 * is not so, as LayerNorm may not be imported under its bare name.
 *
 * @param mistake - value: length of axis 1; limit: length of the last axis
 */
export function layerNormInstead(line: string, mistake: AxisMistake): LineEdit | undefined {
  const found = /\.\s*(BatchNorm1d)\s*\(/.exec(line);
  if (!found || mistake.limit === null) return undefined;
  const start = found.index + found[0].indexOf('BatchNorm1d');
  const open = found.index + found[0].length - 1;
  const end = closing(line, open);
  if (end < 0) return undefined;
  const given = argumentsOf(line.slice(open + 1, end - 1));
  if (given.some((argument) => argument.startsWith('*'))) return undefined;
  const kept: string[] = [];
  given.forEach((argument, i) => {
    const [, name = PARAMETERS[i] ?? '', value = argument] = KEYWORD.exec(argument) ?? [];
    if (name === 'num_features') {
      // The same number names both axes only where they are equally long.
      kept.unshift(mistake.value === mistake.limit ? value : String(mistake.limit));
    }
    const renamed = RENAMED[name];
    if (renamed !== undefined) kept.push(`${renamed}=${value}`);
  });
  return { start, end, text: `LayerNorm(${kept.join(', ')})` };
}

/**
 * Transposes the last two axes before the call of a layer and back after it: for a line that has
 * `….name(argument)` once. Undefined where that is not so.
 *
 * @param name - last part of the layer's qualified name
 */
export function transposedCall(line: string, name: string): LineEdit | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined;
  const calls = [...line.matchAll(new RegExp(`\\.${name}\\s*\\(`, 'g'))];
  const [call] = calls;
  if (!call || calls.length > 1) return undefined;
  const open = call.index + call[0].length - 1;
  const end = closing(line, open);
  if (end < 0) return undefined;
  const [argument, ...others] = argumentsOf(line.slice(open + 1, end - 1));
  if (argument === undefined || others.length > 0 || KEYWORD.test(argument)) return undefined;
  const simple = /^[\w.]+(\([^()]*\))?$/.test(argument);
  const operand = simple ? argument : `(${argument})`;
  return { start: open, end, text: `(${operand}.transpose(1, 2)).transpose(1, 2)` };
}
