const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Control characters, and those that change the direction of the text around them. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The text in one line and without what is not seen, such as terminal escapes. */
export const plainText = (text: string): string => text.replace(BREAKS, ' ').replace(UNSEEN, '');

/**
 * A text for a notification of VS Code, which makes a link or a command of `[text](target)`: what a
 * process wrote must not become something to click on.
 */
export const notificationText = (text: string): string => plainText(text).replaceAll('](', '] (');
