import type { Delegate, DelegateFactory } from './delegate';
import { argumentsOf, errorResponse, event, successResponse } from './messages';
import type { Message, Request } from './messages';
import type { InterposerOptions } from './options';
import { commandName, sessionOver, upstreamSentence, type UpstreamEnd } from './sentences';

const INITIALIZE_TIMEOUT_MS = 20_000;
const ENDING = new Set(['disconnect', 'terminate']);

/**
 * Makes an adapter that fails end the session in order: every open request is answered, the
 * client gets `terminated`, the person one sentence.
 */
export function adapterFailure(options: InterposerOptions): DelegateFactory {
  return (link): Delegate => {
    const timeoutMs = options.initializeTimeoutMs ?? INITIALIZE_TIMEOUT_MS;
    let timer: NodeJS.Timeout | undefined;
    let ending = false;
    let terminated = false;
    let child = false;
    let failure: string | undefined;

    const answer = (request: Request, sentence: string) =>
      link.toClient(
        ENDING.has(request.command) ? successResponse(request) : errorResponse(request, sentence),
      );

    function watchInitialize(): void {
      const python =
        options.upstream.kind === 'spawn'
          ? commandName(options.upstream.python)
          : `${options.upstream.host}:${options.upstream.port}`;
      const seconds = Math.round(timeoutMs / 1000);
      timer = setTimeout(() => link.endAdapter({ kind: 'silent', python, seconds }), timeoutMs);
    }

    return {
      fromClient(message: Message): Message | undefined {
        if (message.type !== 'request') return message;
        if (failure !== undefined) {
          answer(message, failure);
          return undefined;
        }
        if (message.command === 'initialize') watchInitialize();
        if (ENDING.has(message.command)) ending = true;
        child ||= argumentsOf(message).subProcessId !== undefined;
        return message;
      },

      fromAdapter(message: Message): Message | undefined {
        if (message.type === 'response' && message.command === 'initialize') clearTimeout(timer);
        if (message.type === 'event' && message.event === 'terminated') terminated = true;
        // debugpy's adapter stays until its input is closed. The client gets its answer first.
        if (message.type === 'response' && message.command === 'disconnect') {
          setImmediate(() => link.endAdapter({ kind: 'closed', address: '' }));
        }
        return message;
      },

      adapterEnded(end: UpstreamEnd): void {
        clearTimeout(timer);
        // A child is connected through its parent's adapter, whose session tells the reason.
        const expected = terminated || ending || (child && end.kind === 'closed');
        failure = expected ? sessionOver(link.t) : upstreamSentence(end, link.t);
        const pending = link.pending();
        // VS Code shows a failed start from the response; a second message would repeat it.
        const starting = pending.some((request) => isStart(request));
        if (!expected && !starting) link.notice(failure);
        for (const request of pending) answer(request, failure);
        if (!terminated) link.toClient(event('terminated'));
        terminated = true;
      },

      dispose: () => clearTimeout(timer),
    };
  };
}

function isStart(request: Request): boolean {
  return ['initialize', 'launch', 'attach'].includes(request.command);
}
