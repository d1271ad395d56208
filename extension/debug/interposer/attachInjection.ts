import { ADDRESS_VARIABLE, CAPTURE_VARIABLE, TOKEN_VARIABLE } from '../../protocol/environment';
import { withAgentRule } from './agentRule';
import { AdapterGone, type DelegateFactory, type Link } from './delegate';
import { ignoresEnvironment } from './ignoresEnvironment';
import { argumentsOf, type Request } from './messages';
import { withoutOwnAttributes } from './launchInjection';
import type { CaptureInjection, InterposerOptions } from './options';
import { injectionFailed } from './sentences';

const INJECT_TIMEOUT_MS = 15_000;

const python = (value: string) => JSON.stringify(value);

/** How the agent's answer begins when it captures, or will once the process imports PyTorch. */
const STARTED = ['NormScope is active', 'NormScope waits'];

/** Requests and events after which nobody waits for capture any more. */
const ENDING = new Set(['disconnect', 'terminate', 'exited', 'terminated']);

/** Statements that start the agent in a process that runs already, and raise its answer if not. */
export function injectStatements(capture: CaptureInjection): string {
  const { agentDir, environment } = capture;
  const args = [ADDRESS_VARIABLE, TOKEN_VARIABLE, CAPTURE_VARIABLE]
    .map((name) => python(environment[name] ?? ''))
    .join(', ');
  // Run in a scope of its own: what a frameless evaluate defines stays in the debugger's module.
  // Raised, since only some versions of debugpy give back a value; others print it.
  const code = [
    'import importlib.util, os',
    // By its file: the program may have imported a module of its own that is called normscope.
    `file = os.path.join(${python(agentDir)}, "normscope", "__init__.py")`,
    'spec = importlib.util.spec_from_file_location("_normscope_entry", file)',
    'entry = importlib.util.module_from_spec(spec)',
    'spec.loader.exec_module(entry)',
    `answer = str(entry.inject(${args}))`,
    `if not answer.startswith((${STARTED.map(python).join(', ')})):`,
    '    raise RuntimeError(answer)',
  ].join('\n');
  return `exec(${python(code)}, {})`;
}

function needsInjection(start: Request): boolean {
  const args = argumentsOf(start);
  if (start.command === 'attach') return args.subProcessId === undefined;
  return start.command === 'launch' && args.noDebug !== true && ignoresEnvironment(args);
}

/** @returns why capture did not start; nothing where it did, or where the adapter is gone */
async function inject(link: Link, capture: CaptureInjection): Promise<string | undefined> {
  try {
    const expression = injectStatements(capture);
    await link.ask('evaluate', { expression, context: 'repl' }, INJECT_TIMEOUT_MS);
    return undefined;
  } catch (error) {
    if (error instanceof AdapterGone) return undefined;
    const lines = error instanceof Error ? error.message.trim().split('\n') : [];
    const last = lines.at(-1) ?? '';
    return last.replace(/^RuntimeError: /, '').replace(/\.$/, '');
  }
}

/**
 * Puts the agent into a process that runs already (attach), or whose interpreter was told to
 * ignore its environment, once the client has configured the session.
 */
export function attachInjection(options: InterposerOptions): DelegateFactory {
  const { capture } = options;
  return (link) => {
    let start: number | undefined;
    let ending = false;

    async function injectInto(process: CaptureInjection): Promise<void> {
      const problem = await inject(link, process);
      if (problem !== undefined && !ending) link.notice(injectionFailed(problem, link.t));
    }

    return {
      fromClient(message) {
        if (message.type !== 'request') return message;
        if (ENDING.has(message.command)) ending = true;
        if (capture && needsInjection(message)) start = message.seq;
        if (message.command !== 'attach') return message;
        const args = withoutOwnAttributes(argumentsOf(message));
        if (!capture || start === undefined) return { ...message, arguments: args };
        const rules = withAgentRule(args.rules, capture.agentDir);
        return { ...message, arguments: { ...args, rules } };
      },
      fromAdapter(message) {
        // debugpy answers attach and launch after configurationDone, when evaluate is possible.
        if (message.type === 'response' && message.request_seq === start && message.success) {
          start = undefined;
          if (capture) void injectInto(capture);
        }
        if (message.type === 'event' && ENDING.has(message.event)) ending = true;
        return message;
      },
    };
  };
}
