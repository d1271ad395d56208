import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { SourceLocation } from '../../protocol/layers';
import { MAX_TEXT } from '../../protocol/limits';

/** Deep enough to get out of TensorFlow.js from anywhere in it. */
const FRAMES = 100;

/** `at f (/path/x.js:3:7)`, `at /path/x.js:3:7`, `at async f (file:///path/x.mjs:3:7)`. */
const FRAME = /^\s*at (?:.*? \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]|\\\\).*):(\d+):\d+\)?$/;
const PATH = /^(?:file:\/\/|\/|[A-Za-z]:[\\/]|\\\\)/;
const LIBRARY = /[\\/]node_modules[\\/]/;

type Frame = Pick<NodeJS.CallSite, 'getFileName' | 'getLineNumber' | 'getColumnNumber'>;

const toPath = (place: string) => (place.startsWith('file://') ? fileURLToPath(place) : place);

/** The location in a line of a stack text; null where it has none. */
export function parseFrame(text: string): SourceLocation | null {
  const [, place, line] = FRAME.exec(text) ?? [];
  if (place === undefined || line === undefined) return null;
  return { file: toPath(place), line: Number(line) };
}

/** The file of a frame that is neither Node's own nor the agent's. */
function programFile(frame: Frame, ownFile: string): string | undefined {
  const file = frame.getFileName();
  if (typeof file !== 'string' || !PATH.test(file)) return undefined;
  return toPath(file) === ownFile ? undefined : file;
}

/**
 * The innermost frame that is the user's own: outside of libraries, Node and the agent. Told by the
 * files that run, not by those that their source maps name: a library's maps may point anywhere.
 */
export function userFrame<T extends Frame>(frames: readonly T[], ownFile: string): T | undefined {
  return frames.find((frame) => {
    const file = programFile(frame, ownFile);
    return file !== undefined && !LIBRARY.test(file);
  });
}

/** Where Node's source maps, if they are switched on, say that a position comes from. */
function originalOf(file: string, line: number, column: number): SourceLocation | null {
  const entry: object | undefined = findSourceMap(file)?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry) || !('originalLine' in entry)) return null;
  const { originalSource, originalLine } = entry;
  if (typeof originalSource !== 'string' || typeof originalLine !== 'number') return null;
  return PATH.test(originalSource)
    ? { file: toPath(originalSource), line: originalLine + 1 }
    : null;
}

type PrepareStackTrace = typeof Error.prepareStackTrace;

function locate(frame: NodeJS.CallSite, error: Error, prepare: PrepareStackTrace) {
  const file = frame.getFileName() ?? '';
  const line = frame.getLineNumber() ?? 0;
  // A TypeScript runner that brings its own source maps applies them here.
  const text: unknown = prepare?.(error, [frame]);
  const told =
    typeof text === 'string' ? parseFrame(text.trimEnd().split('\n').at(-1) ?? '') : null;
  const original = told ?? originalOf(file, line, frame.getColumnNumber() ?? 0);
  const location = original ?? { file: toPath(file), line };
  return location.file.length <= MAX_TEXT && location.line > 0 ? location : null;
}

interface Stack {
  readonly frames: readonly NodeJS.CallSite[];
  readonly error: Error;
  /** What the program has put in place to write stacks. */
  readonly prepare: PrepareStackTrace;
}

/** The stack as it is now, the innermost frame first; null where the program does not let us see. */
export function currentStack(): Stack | null {
  const { stackTraceLimit, prepareStackTrace } = Error;
  try {
    let frames: readonly NodeJS.CallSite[] = [];
    Error.stackTraceLimit = FRAMES;
    Error.prepareStackTrace = (_, sites) => {
      frames = sites;
      return '';
    };
    const error = new Error();
    // The stack is made when it is first read.
    void error.stack;
    return { frames, error, prepare: prepareStackTrace };
  } catch {
    return null;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

/** Where the user's code is now, in the source as the user wrote it where source maps tell. */
export function userLocation(): SourceLocation | null {
  try {
    const stack = currentStack();
    const frame = stack && userFrame(stack.frames, __filename);
    return frame ? locate(frame, stack.error, stack.prepare) : null;
  } catch {
    return null;
  }
}

/**
 * The innermost frame of the user's that goes on as soon as what it calls returns. Where all of them
 * wait for a promise, as for that of `model.fit`, which may take as long as the training: the
 * innermost one of a library.
 */
export function frameToStopIn(): NodeJS.CallSite | undefined {
  const frames = currentStack()?.frames.filter((frame) => !frame.isAsync()) ?? [];
  const inProgram = (frame: NodeJS.CallSite) => programFile(frame, __filename) !== undefined;
  return userFrame(frames, __filename) ?? frames.find(inProgram);
}
