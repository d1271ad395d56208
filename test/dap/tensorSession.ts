/** A session that is paused in `programs/tensors.py`, with the agent's plug-in in the process. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { listening } from './programs';
import { begin, lineOf, openSession, PROGRAMS, type Session, type SessionOptions } from './session';

export const AGENT = path.resolve(import.meta.dirname, '../../extension/agents/python');
export const TENSORS = path.join(PROGRAMS, 'tensors.py');

/** Longest that the program may take to get to its breakpoint. */
export const STARTING_MS = 120_000;

type Variable = DebugProtocol.Variable;

export interface Paused {
  readonly session: Session;
  readonly frameId: number;
  /** Rows below a reference, by name. */
  children(reference: number): Promise<ReadonlyMap<string, Variable>>;
  /** The frame's locals, by name. */
  locals(): Promise<ReadonlyMap<string, Variable>>;
  evaluate(expression: string, context?: string): Promise<DebugProtocol.EvaluateResponse['body']>;
  /** Rows below a local variable, down a path of names. */
  below(...names: readonly string[]): Promise<ReadonlyMap<string, Variable>>;
}

/** The rows of a paused frame. */
export function pausedIn(session: Session, frameId: number): Paused {
  const children = async (variablesReference: number) => {
    const { body } = await session.variablesRequest({ variablesReference });
    return new Map(body.variables.map((variable) => [variable.name, variable]));
  };
  const locals = async () => {
    const { body } = await session.scopesRequest({ frameId });
    return children(body.scopes[0]?.variablesReference ?? 0);
  };
  return {
    session,
    frameId,
    children,
    locals,
    evaluate: async (expression, context = 'hover') =>
      (await session.evaluateRequest({ expression, frameId, context })).body,
    below: async (...names) => {
      let rows = await locals();
      for (const name of names) rows = await children(rows.get(name)?.variablesReference ?? 0);
      return rows;
    },
  };
}

export interface PauseOptions extends SessionOptions {
  /** How many parameters the largest module has. */
  readonly parameters?: number;
  /** Attaches to the program instead of launching it. */
  readonly attach?: boolean;
  readonly pythonArgs?: readonly string[];
  /** Called with what stops the session, which the test's end does unless this is given. */
  readonly whenOver?: (stop: () => Promise<void>) => void;
}

/** Pauses the program at the line that bears a marker. */
export async function pausedAt(marker: string, options: PauseOptions = {}): Promise<Paused> {
  const { parameters = 3, attach = false, pythonArgs = [], whenOver, ...rest } = options;
  const tensors = { agentDir: AGENT, maxElements: 4096, language: 'en' };
  const line = lineOf(readFileSync(TENSORS, 'utf8'), marker);
  const breakpoints = { file: TENSORS, breakpoints: [{ line }] };
  const args = [String(parameters)];
  let session: Session;
  if (attach) {
    const { upstream, port } = await listening(TENSORS, ...args, 'listen');
    session = await openSession({ tensors, ...rest, upstream });
    const connect = { host: '127.0.0.1', port };
    await begin(session, 'attach', { connect }, { breakpoints });
  } else {
    session = await openSession({ tensors, ...rest }, whenOver);
    await begin(session, 'launch', { program: TENSORS, args, pythonArgs }, { breakpoints });
  }
  // Importing PyTorch under a debugger takes long on a busy machine.
  await session.event('stopped', () => true, STARTING_MS);
  const { threadId = 1 } = await session.nextStop();
  const { body } = await session.stackTraceRequest({ threadId });
  return pausedIn(session, body.stackFrames[0]?.id ?? -1);
}
