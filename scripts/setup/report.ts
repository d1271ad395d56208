/** Tells the person at the terminal what a stage is doing, a line at a time. */
export type Report = (line: string) => void;

export const toTerminal: Report = (line) => console.log(`[setup] ${line}`);

/** Something that is needed could not be had; the message is a sentence for the person. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

/** What to print for anything thrown: the sentence of a {@link SetupError}, else the stack. */
export function describeError(error: unknown): string {
  if (error instanceof SetupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
