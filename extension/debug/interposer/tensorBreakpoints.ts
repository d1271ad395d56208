import { parseCondition, wordsOf } from '../../core/breakpoints/condition';
import {
  TENSOR_FILTERS,
  type TensorBreakpoint,
  type TensorFilter,
} from '../../protocol/tensorBreakpoints';
import type { Delegate, DelegateFactory } from './delegate';
import {
  argumentsOf,
  isRecord,
  RESUMING,
  type Event,
  type Message,
  type Request,
} from './messages';
import type { InterposerOptions } from './options';
import { conditionSentence } from './conditionSentence';
import { filterHint, filterLabel } from './filterLabels';
import type { Translate } from './sentences';

/** A stop in words. */
export interface StopWords {
  /** A few words, for the call stack. */
  readonly title: string;
  /** What happened, with numbers, and what to do. */
  readonly sentence: string;
  /** The rest, a line each. */
  readonly details: string;
}

/** What the editor shows of a stop, as the body of an answer to `exceptionInfo`. */
export const exceptionInfo = ({ title, sentence, details }: StopWords): object => ({
  exceptionId: title,
  description: sentence,
  breakMode: 'always',
  details: { message: sentence, typeName: title, stackTrace: details },
});

/** What the delegate needs of the capture that goes with its session. */
export interface TensorBreakpoints {
  set(breakpoints: readonly TensorBreakpoint[]): void;
  /** Why the process of this id stops now, once; undefined where it is for another reason. */
  takeStop(pid: number | null): StopWords | undefined;
}

const PREFIX = 'tensor.';

interface Chosen {
  readonly id: string;
  readonly condition: string;
}

const ownFilter = (id: string): TensorFilter | undefined =>
  TENSOR_FILTERS.find((filter) => PREFIX + filter === id);

function filtersOf(t: Translate): readonly object[] {
  return TENSOR_FILTERS.map((filter) => ({
    filter: PREFIX + filter,
    label: filterLabel(filter, t),
    description: filterHint(filter, t),
    default: false,
    supportsCondition: true,
    conditionDescription: `layers: encoder.*.norm?; after: step 100; hits: 3 (${wordsOf(filter).join(', ')})`,
  }));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Filters of the request in the order in which their states are answered. */
function chosenIn(request: Request): readonly Chosen[] {
  const { filters, filterOptions } = argumentsOf(request);
  const plain = listOf(filters).map((id) => ({ id: String(id), condition: '' }));
  const conditional = listOf(filterOptions)
    .filter(isRecord)
    .map(({ filterId, condition }) => ({
      id: String(filterId),
      condition: typeof condition === 'string' ? condition : '',
    }));
  return [...plain, ...conditional];
}

/**
 * Tensor breakpoints as exception filters of the Breakpoints view. debugpy never hears of them: the
 * agent in the process asks whether to stop, and stops like a breakpoint in the code, which this
 * makes known as what it is.
 */
export function tensorBreakpoints({
  tensorBreakpoints: capture,
}: InterposerOptions): DelegateFactory {
  return (link): Delegate => {
    if (!capture) return {};
    const asked = new Map<number, readonly Chosen[]>();
    const stopped = new Map<unknown, StopWords>();
    let pid: number | null = null;
    let adapterTakesOptions = false;
    /** Conditions that the person was told are wrong; the Breakpoints view only greys them out. */
    const told = new Map<TensorFilter, string>();

    function choose(request: Request): Message {
      const chosen = chosenIn(request);
      asked.set(request.seq, chosen);
      const breakpoints = chosen.flatMap(({ id, condition }): TensorBreakpoint[] => {
        const filter = ownFilter(id);
        if (!filter) return [];
        const parsed = parseCondition(filter, condition);
        return parsed.condition ? [{ filter, condition: parsed.condition }] : [];
      });
      capture?.set(breakpoints);
      const theirs = chosen.filter(({ id }) => !ownFilter(id));
      const { filters, filterOptions, ...rest } = argumentsOf(request);
      const passed = adapterTakesOptions
        ? {
            filters: listOf(filters).filter((id) => !ownFilter(String(id))),
            filterOptions: listOf(filterOptions).filter(
              (option) => isRecord(option) && !ownFilter(String(option.filterId)),
            ),
          }
        : { filters: theirs.map(({ id }) => id) };
      return { ...request, arguments: { ...rest, ...passed } };
    }

    function tellOnce(filter: TensorFilter, sentence: string): void {
      if (told.get(filter) === sentence) return;
      told.set(filter, sentence);
      link.notice(sentence);
    }

    /** States of ours where the person set them, and of the others as the adapter gave them. */
    function states(chosen: readonly Chosen[], body: unknown): object {
      const given = isRecord(body) ? listOf(body.breakpoints) : [];
      let next = 0;
      const breakpoints = chosen.map(({ id, condition }) => {
        const filter = ownFilter(id);
        if (!filter) return given[next++] ?? { verified: true };
        const { problem } = parseCondition(filter, condition);
        if (!problem) {
          told.delete(filter);
          return { verified: true };
        }
        const message = conditionSentence(problem, link.t);
        tellOnce(filter, `${filterLabel(filter, link.t)}: ${message}`);
        return { verified: false, message };
      });
      return { ...(isRecord(body) ? body : {}), breakpoints };
    }

    function stop(event: Event): Message {
      const body = isRecord(event.body) ? event.body : {};
      const words = capture?.takeStop(pid);
      stopped.delete(body.threadId);
      if (!words) return event;
      stopped.set(body.threadId, words);
      const rest = { ...body };
      delete rest.hitBreakpointIds;
      return {
        ...event,
        body: { ...rest, reason: 'exception', description: words.title, text: words.sentence },
      };
    }

    return {
      fromClient(message) {
        if (message.type !== 'request') return message;
        if (message.command === 'setExceptionBreakpoints') return choose(message);
        if (RESUMING.has(message.command)) stopped.delete(argumentsOf(message).threadId);
        if (message.command !== 'exceptionInfo') return message;
        const words = stopped.get(argumentsOf(message).threadId);
        if (!words) return message;
        link.toClient({
          seq: 0,
          type: 'response',
          request_seq: message.seq,
          command: message.command,
          success: true,
          body: exceptionInfo(words),
        });
        return undefined;
      },
      fromAdapter(message) {
        if (message.type === 'event') {
          const body = isRecord(message.body) ? message.body : {};
          if (message.event === 'process' && typeof body.systemProcessId === 'number') {
            pid = body.systemProcessId;
          }
          return message.event === 'stopped' ? stop(message) : message;
        }
        if (message.type !== 'response') return message;
        if (message.command === 'initialize' && message.success) {
          const body = isRecord(message.body) ? message.body : {};
          adapterTakesOptions = body.supportsExceptionFilterOptions === true;
          const filters = [...listOf(body.exceptionBreakpointFilters), ...filtersOf(link.t)];
          return {
            ...message,
            body: {
              ...body,
              supportsExceptionFilterOptions: true,
              supportsExceptionInfoRequest: true,
              exceptionBreakpointFilters: filters,
            },
          };
        }
        const chosen = asked.get(message.request_seq);
        if (!chosen || !asked.delete(message.request_seq) || !message.success) return message;
        return { ...message, body: states(chosen, message.body) };
      },
    };
  };
}
