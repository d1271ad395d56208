import path from 'node:path';
import { INTERPOSED_ATTRIBUTE } from '../../protocol/ownSessions';
import { withAgentRule } from './agentRule';
import type { DelegateFactory } from './delegate';
import { argumentsOf, isRecord } from './messages';
import type { CaptureInjection, InterposerOptions } from './options';
import { tensorSettings, TENSORS_VARIABLE, type TensorTexts } from './tensorTexts';

/** Attributes of ours and of VS Code's that debugpy does not know, and would hand to its children. */
const OWN_ATTRIBUTES = ['normscope', INTERPOSED_ATTRIBUTE, 'envFile', 'debugServer'];

type Environment = Readonly<Record<string, unknown>>;

/** The name that a variable has in an environment: on Windows, case does not count. */
function nameIn(environment: Environment, name: string): string {
  if (process.platform !== 'win32') return name;
  return Object.keys(environment).find((key) => key.toUpperCase() === name) ?? name;
}

/** `PYTHONPATH` with the agent first. A null in the request unsets what was inherited. */
function pythonPath(requested: Environment, inherited: Environment, agentDir: string): string {
  const name = nameIn(requested, 'PYTHONPATH');
  const existing = name in requested ? requested[name] : inherited[nameIn(inherited, 'PYTHONPATH')];
  const rest = typeof existing === 'string' && existing !== '' ? [existing] : [];
  return [agentDir, ...rest].join(path.delimiter);
}

/** The request's environment with what capture needs. */
export function captureEnvironment(
  requested: unknown,
  inherited: Environment,
  capture: CaptureInjection,
): Record<string, unknown> {
  const env = isRecord(requested) ? requested : {};
  return {
    ...env,
    ...capture.environment,
    [nameIn(env, 'PYTHONPATH')]: pythonPath(env, inherited, capture.agentDir),
  };
}

export function withoutOwnAttributes(
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([key]) => !OWN_ATTRIBUTES.includes(key)));
}

/** What goes into a process for capture, for the texts of its tensors, or for both. */
function withTexts(
  capture: CaptureInjection | undefined,
  tensors: TensorTexts | undefined,
): CaptureInjection | undefined {
  if (!tensors) return capture;
  const environment = { ...capture?.environment, [TENSORS_VARIABLE]: tensorSettings(tensors) };
  return { agentDir: tensors.agentDir, environment };
}

/** Puts the agent into a launched process by its environment, before its first line runs. */
export function launchInjection(options: InterposerOptions): DelegateFactory {
  const { capture } = options;
  const inherited = options.baseEnvironment ?? process.env;
  return () => ({
    fromClient(message) {
      if (message.type !== 'request' || message.command !== 'launch') return message;
      const args = withoutOwnAttributes(argumentsOf(message));
      const injected = args.noDebug === true ? capture : withTexts(capture, options.tensors);
      if (!injected) return { ...message, arguments: args };
      const env = captureEnvironment(args.env, inherited, injected);
      const rules = withAgentRule(args.rules, injected.agentDir);
      return { ...message, arguments: { ...args, env, rules } };
    },
  });
}
