import type { DelegateFactory } from './delegate';
import { isHelperProcess } from './helperProcess';
import { argumentsOf, isRecord, successResponse } from './messages';
import type { Request } from './messages';
import { releaseChild } from './releaseChild';
import { childNotStarted } from './sentences';

/** Most child processes of one session that get a debug session of their own. */
const MAX_CHILDREN = 64;

/**
 * Hands child processes to the client, which starts a session for each. debugpy waits for the
 * answer while it handles nothing else, and the child waits for its session; so the answer is
 * given at once, and a child that the client does not take is set free.
 */
export const childSessions: DelegateFactory = (link) => {
  const offered = new Map<number, Request>();
  let count = 0;

  function configurationOf(request: Request): Record<string, unknown> {
    const { configuration } = argumentsOf(request);
    return isRecord(configuration) ? configuration : {};
  }

  function release(request: Request, detail: string): void {
    const child = configurationOf(request);
    link.notice(childNotStarted(String(child.name ?? 'A child process'), detail, link.t));
    releaseChild(child);
  }

  return {
    fromAdapter(message) {
      if (message.type !== 'request' || message.command !== 'startDebugging') return message;
      link.toAdapter(successResponse(message));
      const child = configurationOf(message);
      if (isHelperProcess(child.subProcessId)) {
        releaseChild(child);
        return undefined;
      }
      if (++count > MAX_CHILDREN) {
        release(message, link.t('more than {0} child processes', String(MAX_CHILDREN)));
        return undefined;
      }
      offered.set(message.seq, message);
      return message;
    },
    fromClient(message) {
      if (message.type !== 'response') return message;
      const request = offered.get(message.request_seq);
      if (!request) return message;
      offered.delete(message.request_seq);
      if (!message.success) {
        release(request, message.message || link.t('its session did not start'));
      }
      return undefined;
    },
  };
};
