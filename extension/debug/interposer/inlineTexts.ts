import { INLINE_TEXTS, MOST_INLINE_NAMES, type InlineTextsBody } from '../../protocol/ownSessions';
import type { DelegateFactory } from './delegate';
import { argumentsOf, isRecord, requestMessage, successResponse } from './messages';
import type { Message, Request } from './messages';

const NAME = /^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u;

function expressionFor(names: unknown): string {
  const given = Array.isArray(names) ? names : [];
  const valid = given.filter((name) => typeof name === 'string' && NAME.test(name));
  const list = JSON.stringify(valid.slice(0, MOST_INLINE_NAMES));
  return `__import__("sys").modules["_normscope_agent.tensors.inline"].answer(locals(), ${list})`;
}

/** @returns the texts of an evaluate's answer; none where the process has no plug-in */
function textsOf(message: Message): InlineTextsBody['texts'] {
  if (message.type !== 'response' || !message.success || !isRecord(message.body)) return {};
  try {
    const value: unknown = JSON.parse(String(message.body.result));
    if (!isRecord(value)) return {};
    const texts = Object.entries(value).filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string';
    });
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}

/** Answers {@link INLINE_TEXTS} by one evaluate in the frame, however many names there are. */
export const inlineTexts: DelegateFactory = () => {
  const asked = new Map<number, Request>();
  return {
    fromClient(message) {
      if (message.type !== 'request' || message.command !== INLINE_TEXTS) return message;
      const { frameId, names } = argumentsOf(message);
      asked.set(message.seq, message);
      const args = { expression: expressionFor(names), frameId, context: 'variables' };
      return { ...requestMessage('evaluate', args), seq: message.seq };
    },
    fromAdapter(message) {
      if (message.type !== 'response') return message;
      const request = asked.get(message.request_seq);
      if (!request) return message;
      asked.delete(message.request_seq);
      return successResponse(request, { texts: textsOf(message) });
    },
  };
};
