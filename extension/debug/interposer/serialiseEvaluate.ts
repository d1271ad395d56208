import { AdapterGone, type DelegateFactory } from './delegate';
import { takeTogether, togetherAnswers, togetherArguments } from './evaluateBatch';
import { argumentsOf, type Message, type Request, RESUMING } from './messages';

/** A longer evaluate does not hold back the others: they may be in frames of other threads. */
const LONGEST_EVALUATE_MS = 2_000;

/** Longest that going on waits for evaluates that were asked for before it. */
const LONGEST_RESUME_MS = 500;

const inFrame = (message: Message): message is Request =>
  message.type === 'request' &&
  message.command === 'evaluate' &&
  argumentsOf(message).frameId !== undefined;

/** Several that are answered by one may take as long as the person lets them. */
const LONGEST_TOGETHER_MS = 600_000;

/** After so many failures the process is taken to be without the agent. */
const MOST_FAILURES = 3;

/**
 * Sends evaluates in frames one at a time, and as one those that wait together, where the process
 * has the agent: debugpy takes one per wake-up of a suspended thread and sleeps up to 0.2 s between
 * those that arrive together, as a full Watch pane's do. A request to go on waits for them, because
 * debugpy drops what is open when the thread goes on.
 */
export const serialiseEvaluate: DelegateFactory = (link) => {
  const waiting: Request[] = [];
  /** Those that could not be answered together. */
  const alone: Request[] = [];
  const resuming: Message[] = [];
  let current: number | undefined;
  let failures = 0;
  /** Numbers for the requests of our own, below those of the client. */
  let own = 0;
  let evaluateTimer: NodeJS.Timeout | undefined;
  let resumeTimer: NodeJS.Timeout | undefined;

  function busy(seq: number): void {
    current = seq;
    clearTimeout(evaluateTimer);
    evaluateTimer = setTimeout(next, LONGEST_EVALUATE_MS);
  }

  function started(request: Request): Request {
    busy(request.seq);
    return request;
  }

  async function startTogether(requests: readonly Request[]): Promise<void> {
    const number = --own;
    busy(number);
    let answers: readonly Message[] | undefined;
    try {
      const args = togetherArguments(requests);
      answers = togetherAnswers(requests, await link.ask('evaluate', args, LONGEST_TOGETHER_MS));
    } catch (error) {
      // Nobody is left to answer them.
      if (error instanceof AdapterGone) return;
    }
    if (answers) answers.forEach((answer) => link.toClient(answer));
    else {
      failures++;
      alone.push(...requests);
    }
    if (current === number || current === undefined) next();
  }

  function next(): void {
    clearTimeout(evaluateTimer);
    current = undefined;
    const first = alone.shift();
    if (first) return link.toAdapter(started(first));
    const one = failures >= MOST_FAILURES;
    const [request, ...others] = one ? waiting.splice(0, 1) : takeTogether(waiting);
    if (!request) resume();
    else if (others.length > 0) void startTogether([request, ...others]);
    else link.toAdapter(started(request));
  }

  function resume(): void {
    clearTimeout(resumeTimer);
    const held = [...alone.splice(0), ...waiting.splice(0), ...resuming.splice(0)];
    for (const message of held) link.toAdapter(message);
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
