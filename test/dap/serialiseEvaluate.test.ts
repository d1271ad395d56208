import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Link } from '../../extension/debug/interposer/delegate';
import type { Message } from '../../extension/debug/interposer/messages';
import { english } from '../../extension/debug/interposer/sentences';
import { serialiseEvaluate } from '../../extension/debug/interposer/serialiseEvaluate';

/** The delegate on its own: what reaches the adapter, in order. */
function chain() {
  const sent: number[] = [];
  const link: Link = {
    toClient: () => undefined,
    toAdapter: (message) => void sent.push(message.seq),
    ask: () => Promise.reject(new Error('not asked here')),
    pending: () => [],
    endAdapter: () => undefined,
    notice: () => undefined,
    t: english,
  };
  const delegate = serialiseEvaluate(link);
  const request = (seq: number, command: string, args: object = { frameId: 1 }) => {
    const message: Message = { seq, type: 'request', command, arguments: args };
    const passed = delegate.fromClient?.(message);
    if (passed) sent.push(passed.seq);
  };
  const answer = (request_seq: number) =>
    delegate.fromAdapter?.({
      seq: 0,
      type: 'response',
      request_seq,
      command: 'evaluate',
      success: true,
    });
  return { sent, request, answer };
}

describe('evaluates in frames', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('each is sent when the one before is answered; others pass freely', () => {
    const { sent, request, answer } = chain();
    for (const seq of [1, 2, 3]) request(seq, 'evaluate');
    request(4, 'evaluate', {});
    request(5, 'variables');
    expect(sent).toEqual([1, 4, 5]);
    answer(1);
    expect(sent).toEqual([1, 4, 5, 2]);
    answer(2);
    answer(3);
    request(6, 'evaluate');
    expect(sent).toEqual([1, 4, 5, 2, 3, 6]);
  });

  test('one that takes long holds back the next for two seconds', () => {
    const { sent, request } = chain();
    for (const seq of [1, 2, 3]) request(seq, 'evaluate');
    vi.advanceTimersByTime(1_999);
    expect(sent).toEqual([1]);
    vi.advanceTimersByTime(2);
    expect(sent).toEqual([1, 2]);
  });

  test('going on waits for all that came before it', () => {
    const { sent, request, answer } = chain();
    for (const seq of [1, 2]) request(seq, 'evaluate');
    request(3, 'continue', { threadId: 1 });
    answer(1);
    expect(sent).toEqual([1, 2]);
    answer(2);
    expect(sent).toEqual([1, 2, 3]);
  });

  test('going on waits no more than half a second', () => {
    const { sent, request } = chain();
    for (const seq of [1, 2]) request(seq, 'evaluate');
    request(3, 'next', { threadId: 1 });
    vi.advanceTimersByTime(501);
    expect(sent).toEqual([1, 2, 3]);
  });

  test('stopping never waits', () => {
    const { sent, request } = chain();
    request(1, 'evaluate');
    request(2, 'pause', { threadId: 1 });
    request(3, 'terminate', {});
    expect(sent).toEqual([1, 2, 3]);
  });
});
