/**
 * The TensorFlow.js agent. Loaded by `NODE_OPTIONS=--require` into every Node process below a
 * debugged one, so it must do no harm in any: it acts in the main thread only, only with the
 * variables of `protocol/environment.ts` set, and only when TensorFlow.js is loaded.
 */
import { isMainThread } from 'node:worker_threads';
import { startAgent } from './agent';
import { readSettings } from './settings';

try {
  const settings = isMainThread ? readSettings(process.env) : null;
  if (settings) startAgent(settings);
} catch {
  // A program must start whatever becomes of its agent.
}
