import { fileNameOf } from '../fileNameOf';

export const TRACE_SUFFIX = '.normtrace';
const MAX_NAME = 60;

/**
 * Name of a run's trace without its suffix, and the run's id: it is found again under the same id
 * after the window was reloaded. Safe as a file name on every platform.
 */
export function traceStem(startedAt: number, program: string): string {
  const name = fileNameOf(program)
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .slice(0, MAX_NAME);
  return `${Math.floor(startedAt)}-${name}`;
}

/** Start time (milliseconds since 1970) in a trace's file name; undefined when it is no trace's. */
export function startOfTrace(fileName: string): number | undefined {
  if (!fileName.endsWith(TRACE_SUFFIX)) return undefined;
  const digits = /^(\d{1,15})-/.exec(fileName)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
