/** `live` follows the newest captured step. */
export type StepChoice = number | 'live';

/** First and last step of a part of the run. */
export type StepRange = readonly [first: number, last: number];
