import type { DelegateFactory } from './delegate';

const TIMEOUT_MS = 5_000;

// Guarded step by step: these are debugpy's internals, and a version without them keeps its pace.
const NO_DELAY = [
  'import socket',
  'from _pydevd_bundle.pydevd_constants import get_global_debugger',
  'sock = getattr(getattr(get_global_debugger(), "writer", None), "sock", None)',
  'if isinstance(sock, socket.socket) and sock.family in (socket.AF_INET, socket.AF_INET6):',
  '    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)',
].join('\n');

/**
 * Turns Nagle's algorithm off on the debuggee's end of debugpy's own socket, where it makes every
 * evaluate in a frame wait 40 ms for a delayed acknowledgement.
 */
export const debuggeeSocket: DelegateFactory = (link) => {
  let start: number | undefined;
  return {
    fromClient(message) {
      if (message.type === 'request' && ['launch', 'attach'].includes(message.command)) {
        const { noDebug } = message.arguments ?? {};
        if (noDebug !== true) start = message.seq;
      }
      return message;
    },
    fromAdapter(message) {
      if (message.type === 'response' && message.request_seq === start && message.success) {
        start = undefined;
        const expression = `exec(${JSON.stringify(NO_DELAY)}, {})`;
        // Only speed is lost when it fails.
        link.ask('evaluate', { expression, context: 'repl' }, TIMEOUT_MS).catch(() => undefined);
      }
      return message;
    },
  };
};
