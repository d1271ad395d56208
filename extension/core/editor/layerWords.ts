import type { LayerInfo } from '../../protocol/layers';

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** The words by which source code may speak of a layer, in lower case. */
export function wordsOf({ name, className }: LayerInfo): ReadonlySet<string> {
  const parts = name.split('.').filter((part) => part !== '' && !/^\d+$/.test(part));
  const last = parts.at(-1);
  // Classes may be named with their module, functions of torch.nn.functional with underscores.
  const ofClass = className.split('.').at(-1) ?? className;
  const words = [last, ofClass, ofClass.replaceAll('_', '')];
  return new Set(words.flatMap((word) => (word ? [word.toLowerCase()] : [])));
}

interface Identifier {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const identifiersOf = (line: string): readonly Identifier[] =>
  [...line.matchAll(IDENTIFIER)].map(({ 0: text, index }) => ({
    text: text.toLowerCase(),
    start: index,
    end: index + text.length,
  }));

/** Whether a line may speak of the layer. */
export function mayName(line: string, info: LayerInfo): boolean {
  const words = wordsOf(info);
  return identifiersOf(line).some(({ text }) => words.has(text));
}

/** What is pointed at in a line of code. */
export interface PointedLayers<Layer> {
  readonly layers: readonly Layer[];
  /** Columns of the word, counted from 0. */
  readonly start: number;
  readonly end: number;
}

/**
 * The layers that a word of a line speaks of, among those that are made or called there. Where no
 * word of the line names one (a layer is handed round under another name, or runs somewhere within
 * a call), what is called there speaks of all of them.
 *
 * @param column - counted from 0
 */
export function pointedLayers<Layer extends { readonly info: LayerInfo }>(
  line: string,
  column: number,
  layers: readonly Layer[],
): PointedLayers<Layer> | undefined {
  const identifiers = identifiersOf(line);
  const pointed = identifiers.find(({ start, end }) => start <= column && column <= end);
  if (!pointed || layers.length === 0) return undefined;
  const { text, start, end } = pointed;
  const words = layers.map((layer) => ({ layer, words: wordsOf(layer.info) }));
  const named = words.flatMap((one) => (one.words.has(text) ? [one.layer] : []));
  if (named.length > 0) return { layers: named, start, end };
  if (identifiers.some((one) => words.some((known) => known.words.has(one.text)))) return undefined;
  // `bn.apply(x)`: the receiver of a call as well as the called.
  const called = /^\s*(\(|(\.\s*[\p{L}\p{N}_$]+\s*)+\()/u.test(line.slice(end));
  return called ? { layers, start, end } : undefined;
}
