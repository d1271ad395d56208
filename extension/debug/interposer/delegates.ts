import { adapterFailure } from './adapterFailure';
import { attachInjection } from './attachInjection';
import { childSessions } from './childSessions';
import { debuggeeCleanup } from './debuggeeCleanup';
import { debuggeeSocket } from './debuggeeSocket';
import type { DelegateFactory } from './delegate';
import { launchChecks } from './launchChecks';
import { launchInjection } from './launchInjection';
import { inlineTexts } from './inlineTexts';
import { normLayersScope } from './normLayersScope';
import type { InterposerOptions } from './options';
import { serialiseEvaluate } from './serialiseEvaluate';
import { tensorBreakpoints } from './tensorBreakpoints';
import { tensorTexts } from './tensorTexts';
import { unsupportedRequests } from './unsupportedRequests';

/** The chain, from the client's end to the adapter's. */
export function delegateFactories(options: InterposerOptions): readonly DelegateFactory[] {
  return [
    adapterFailure(options),
    unsupportedRequests,
    tensorBreakpoints(options),
    launchChecks(options),
    launchInjection(options),
    attachInjection(options),
    tensorTexts(options),
    debuggeeSocket,
    debuggeeCleanup,
    childSessions,
    normLayersScope(options),
    inlineTexts,
    serialiseEvaluate,
  ];
}
