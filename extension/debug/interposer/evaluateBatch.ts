import { argumentsOf, errorResponse, isRecord, successResponse } from './messages';
import type { Message, Request, Response } from './messages';

const MOST_TOGETHER = 32;
const BATCHED = new Set<unknown>(['watch', 'hover']);

/** What evaluates must have in common to be answered by one. */
function kind(request: Request | undefined): string | undefined {
  if (!request) return undefined;
  const { frameId, context, expression, ...rest } = argumentsOf(request);
  const isPlain = Object.keys(rest).every((name) => ['line', 'column', 'source'].includes(name));
  if (!BATCHED.has(context) || !isPlain || typeof expression !== 'string') return undefined;
  return `${String(context)} ${String(frameId)}`;
}

/** Takes the first evaluates off the queue that can be answered by one; at least the first. */
export function takeTogether(queue: Request[]): readonly Request[] {
  const first = kind(queue[0]);
  let count = 1;
  while (first !== undefined && count < MOST_TOGETHER && kind(queue[count]) === first) count++;
  return queue.splice(0, count);
}

/** The arguments of an evaluate whose result answers them all, by the agent in the process. */
export function togetherArguments(requests: readonly Request[]): object {
  const [first] = requests;
  const { frameId, context } = first ? argumentsOf(first) : {};
  const expressions = requests.map((request) => argumentsOf(request).expression);
  // Python reads JSON of numbers, texts and lists as its own.
  const args = [frameId, context, expressions].map((value) => JSON.stringify(value)).join(', ');
  const agent = '__import__("sys").modules["_normscope_agent.tensors.evaluates"]';
  return { expression: `${agent}.answer(${args})`, frameId, context };
}

/** The answer to each request; nothing where the process could not do it. */
export function togetherAnswers(
  requests: readonly Request[],
  response: Response,
): readonly Message[] | undefined {
  const parsed = parse(isRecord(response.body) ? response.body.result : undefined);
  if (parsed?.length !== requests.length) return undefined;
  return requests.map((request, index) => {
    const body: unknown = parsed[index];
    if (!isRecord(body)) return errorResponse(request, '', false);
    const { error } = body;
    return typeof error === 'string'
      ? { ...errorResponse(request, error, false), body: { result: error, variablesReference: 0 } }
      : successResponse(request, { variablesReference: 0, ...body });
  });
}

function parse(result: unknown): readonly unknown[] | undefined {
  try {
    const value: unknown = typeof result === 'string' ? JSON.parse(result) : undefined;
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
