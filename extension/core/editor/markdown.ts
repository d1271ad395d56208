import { plainText } from '../plainText';

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Longest text of a process that is shown in one place. */
const LONGEST = 300;

/** The text in one line, cut where it is too long to be a name or a sentence. */
export function oneLine(text: string, longest = LONGEST): string {
  const plain = plainText(text);
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}

/**
 * A text as Markdown that shows it as it is: what a process wrote becomes no link, no picture, no
 * icon and no markup. Every punctuation character may be escaped in CommonMark.
 */
export const markdownText = (text: string): string => oneLine(text).replace(PUNCTUATION, '\\$&');
