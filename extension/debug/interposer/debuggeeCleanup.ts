import type { DelegateFactory } from './delegate';
import { argumentsOf, isRecord } from './messages';

/** How long a debuggee may take to end by itself once its session is over. */
const GRACE_MS = 1_500;

function kill(pid: number): void {
  try {
    // debugpy's launcher gives the debuggee a process group of its own.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Gone already, as it should be.
  }
}

/**
 * Makes sure that a launched process does not outlive its session. debugpy's launcher sees to it;
 * this is for when the launcher itself was killed.
 */
export const debuggeeCleanup: DelegateFactory = () => {
  let launched = false;
  let pid: number | undefined;

  function sessionOver(): void {
    if (pid === undefined) return;
    const debuggee = pid;
    pid = undefined;
    // Not unref'd on purpose: the host must not leave before it.
    setTimeout(() => kill(debuggee), GRACE_MS);
  }

  return {
    fromClient(message) {
      if (message.type !== 'request') return message;
      if (message.command === 'launch') launched = true;
      if (message.command === 'disconnect' && argumentsOf(message).terminateDebuggee === false) {
        pid = undefined;
      }
      return message;
    },
    fromAdapter(message) {
      if (message.type !== 'event') return message;
      const id = isRecord(message.body) ? message.body.systemProcessId : undefined;
      if (message.event === 'process' && launched && typeof id === 'number' && id > 1) pid = id;
      if (message.event === 'exited') pid = undefined;
      if (message.event === 'terminated') sessionOver();
      return message;
    },
    adapterEnded: sessionOver,
    dispose: sessionOver,
  };
};
