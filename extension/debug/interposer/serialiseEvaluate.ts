import type { DelegateFactory } from './delegate';
import { argumentsOf, type Message, type Request } from './messages';

/** A longer evaluate does not hold back the others: they may be in frames of other threads. */
const LONGEST_EVALUATE_MS = 2_000;

/** Longest that going on waits for evaluates that were asked for before it. */
const LONGEST_RESUME_MS = 500;

const RESUMING = new Set(['continue', 'next', 'stepIn', 'stepOut', 'goto']);

const inFrame = (message: Message): message is Request =>
  message.type === 'request' &&
  message.command === 'evaluate' &&
  argumentsOf(message).frameId !== undefined;

/**
 * Sends evaluates in frames one at a time: debugpy takes one per wake-up of a suspended thread
 * and sleeps up to 0.2 s between those that arrive together, as a full Watch pane's do. A request
 * to go on waits for them, because debugpy drops what is open when the thread goes on.
 */
export const serialiseEvaluate: DelegateFactory = (link) => {
  const waiting: Request[] = [];
  const resuming: Message[] = [];
  let current: number | undefined;
  let evaluateTimer: NodeJS.Timeout | undefined;
  let resumeTimer: NodeJS.Timeout | undefined;

  function started(request: Request): Request {
    current = request.seq;
    clearTimeout(evaluateTimer);
    evaluateTimer = setTimeout(next, LONGEST_EVALUATE_MS);
    return request;
  }

  function next(): void {
    clearTimeout(evaluateTimer);
    current = undefined;
    const request = waiting.shift();
    if (request) link.toAdapter(started(request));
    else resume();
  }

  function resume(): void {
    clearTimeout(resumeTimer);
    for (const message of [...waiting.splice(0), ...resuming.splice(0)]) link.toAdapter(message);
  }

  return {
    fromClient(message) {
      if (message.type !== 'request') return message;
      if (RESUMING.has(message.command) && current !== undefined) {
        if (resuming.length === 0) resumeTimer = setTimeout(resume, LONGEST_RESUME_MS);
        resuming.push(message);
        return undefined;
      }
      if (!inFrame(message)) return message;
      if (current === undefined) return started(message);
      waiting.push(message);
      return undefined;
    },
    fromAdapter(message) {
      if (message.type === 'response' && message.request_seq === current) next();
      return message;
    },
    dispose() {
      clearTimeout(evaluateTimer);
      clearTimeout(resumeTimer);
    },
  };
};
