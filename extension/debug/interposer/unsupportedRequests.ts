import type { Delegate, DelegateFactory } from './delegate';
import { argumentsOf, errorResponse, isRecord, successResponse } from './messages';
import type { Message, Request } from './messages';
import { requestUnsupported } from './sentences';

/**
 * Standard requests that debugpy accepts and never answers, after which it answers nothing else,
 * and the capability by which a later version would claim them.
 */
const UNANSWERED: Readonly<Record<string, string>> = {
  breakpointLocations: 'supportsBreakpointLocationsRequest',
  cancel: 'supportsCancelRequest',
  dataBreakpointInfo: 'supportsDataBreakpoints',
  disassemble: 'supportsDisassembleRequest',
  loadedSources: 'supportsLoadedSourcesRequest',
  locations: '',
  readMemory: 'supportsReadMemoryRequest',
  restart: 'supportsRestartRequest',
  restartFrame: 'supportsRestartFrame',
  reverseContinue: 'supportsStepBack',
  setDataBreakpoints: 'supportsDataBreakpoints',
  setInstructionBreakpoints: 'supportsInstructionBreakpoints',
  stepBack: 'supportsStepBack',
  terminateThreads: 'supportsTerminateThreadsRequest',
  writeMemory: 'supportsWriteMemoryRequest',
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const unsupportedRequests: DelegateFactory = (link): Delegate => {
  let capabilities: Record<string, unknown> = {};

  function answer(request: Request): Message {
    const sentence = requestUnsupported(request.command, link.t);
    switch (request.command) {
      case 'cancel':
        return successResponse(request);
      case 'dataBreakpointInfo':
        return successResponse(request, { dataId: null, description: sentence });
      case 'setDataBreakpoints':
      case 'setInstructionBreakpoints': {
        const breakpoints = listOf(argumentsOf(request).breakpoints);
        const refused = breakpoints.map(() => ({ verified: false, message: sentence }));
        return successResponse(request, { breakpoints: refused });
      }
      default:
        return errorResponse(request, sentence, false);
    }
  }

  return {
    fromClient(message) {
      if (message.type !== 'request') return message;
      const capability = UNANSWERED[message.command];
      if (capability === undefined || capabilities[capability] === true) return message;
      link.toClient(answer(message));
      return undefined;
    },
    fromAdapter(message) {
      if (message.type === 'response' && message.command === 'initialize') {
        capabilities = isRecord(message.body) ? message.body : {};
      }
      return message;
    },
  };
};
