import { adapterFailure } from './adapterFailure';
import { attachInjection } from './attachInjection';
import { childSessions } from './childSessions';
import { debuggeeCleanup } from './debuggeeCleanup';
import { debuggeeSocket } from './debuggeeSocket';
import type { DelegateFactory } from './delegate';
import { launchChecks } from './launchChecks';
import { launchInjection } from './launchInjection';
import type { InterposerOptions } from './options';
import { serialiseEvaluate } from './serialiseEvaluate';
import { unsupportedRequests } from './unsupportedRequests';

/** The chain, from the client's end to the adapter's. */
export function delegateFactories(options: InterposerOptions): readonly DelegateFactory[] {
  return [
    adapterFailure(options),
    unsupportedRequests,
    launchChecks(options),
    launchInjection(options),
    attachInjection(options),
    debuggeeSocket,
    debuggeeCleanup,
    childSessions,
    serialiseEvaluate,
  ];
}
