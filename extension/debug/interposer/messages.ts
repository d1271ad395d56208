import type { DebugProtocol } from '@vscode/debugprotocol';

/** A request of the Debug Adapter Protocol, by either side. */
export type Request = DebugProtocol.Request & { type: 'request' };
/** The answer to a request, named by its `request_seq`. */
export type Response = DebugProtocol.Response & { type: 'response' };
/** What an adapter reports of its own accord. */
export type Event = DebugProtocol.Event & { type: 'event' };
/** Any message, told apart by `type`. */
export type Message = Request | Response | Event;

/** Requests after which a thread runs on. */
export const RESUMING: ReadonlySet<string> = new Set([
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'goto',
]);

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks what every message must have; what is inside `arguments` and `body` is for its reader. */
export function asMessage(value: unknown): Message | undefined {
  if (!isRecord(value) || typeof value.seq !== 'number') return undefined;
  switch (value.type) {
    case 'request':
      return typeof value.command === 'string' ? (value as unknown as Request) : undefined;
    case 'response':
      return typeof value.request_seq === 'number' ? (value as unknown as Response) : undefined;
    case 'event':
      return typeof value.event === 'string' ? (value as unknown as Event) : undefined;
    default:
      return undefined;
  }
}

/** The arguments of a request; empty where it has none. */
export function argumentsOf(request: Request): Record<string, unknown> {
  return isRecord(request.arguments) ? request.arguments : {};
}

/** Sequence numbers of messages made here are set when they are sent. */
const UNSENT = 0;

/** A request of our own. */
export function requestMessage(command: string, args: object): Request {
  return { seq: UNSENT, type: 'request', command, arguments: args };
}

/** The answer to a request that was fulfilled. */
export function successResponse(request: Request, body?: object): Response {
  return {
    seq: UNSENT,
    type: 'response',
    request_seq: request.seq,
    command: request.command,
    success: true,
    ...(body ? { body } : {}),
  };
}

/** An error that the client shows as it stands: VS Code reads `body.error`, others `message`. */
export function errorResponse(request: Request, sentence: string, showUser = true): Response {
  return {
    seq: UNSENT,
    type: 'response',
    request_seq: request.seq,
    command: request.command,
    success: false,
    message: sentence,
    body: { error: { id: 1, format: sentence, showUser } },
  };
}

/** An event of our own. */
export function event(name: string, body?: object): Event {
  return { seq: UNSENT, type: 'event', event: name, ...(body ? { body } : {}) };
}

/** A line for the debug console. */
export function outputEvent(line: string, category: 'console' | 'stderr' = 'console'): Event {
  return event('output', { category, output: `${line}\n` });
}
