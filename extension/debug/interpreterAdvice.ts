import * as vscode from 'vscode';
import { checkInterpreter } from './interpreterCheck';
import { isRecord } from './interposer/messages';
import { commandName, upstreamSentence } from './interposer/sentences';

export interface InterpreterAdvice {
  /** Why debugging can not start. */
  readonly problem?: string;
  /** Why there will be nothing to capture. */
  readonly warning?: string;
}

const OLDEST = [3, 9] as const;

function environment(requested: unknown): NodeJS.ProcessEnv {
  const entries = isRecord(requested) ? Object.entries(requested) : [];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { ...process.env, ...Object.fromEntries(texts) };
}

/** What the person should know about the interpreter that was chosen for a configuration. */
export async function interpreterAdvice(
  python: readonly string[] | undefined,
  configuration: vscode.DebugConfiguration,
): Promise<InterpreterAdvice> {
  const { t } = vscode.l10n;
  if (!python) {
    return {
      problem: t(
        'No Python was found: install Python 3.9 or later, or set "python" in the launch configuration.',
      ),
    };
  }
  const cwd = typeof configuration.cwd === 'string' ? configuration.cwd : undefined;
  const facts = await checkInterpreter(python, { env: environment(configuration.env), cwd });
  const name = commandName(python);
  if (facts === 'unknown') return {};
  if (facts === 'unusable') {
    return {
      problem: upstreamSentence(
        { kind: 'no-python', python: name, detail: t('it does not run') },
        t,
      ),
    };
  }
  const [major, minor] = facts.version;
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    const version = facts.version.join('.');
    return { problem: t('{0} is Python {1}: choose Python 3.9 or later.', name, version) };
  }
  if (facts.debugpy === null) {
    return { problem: upstreamSentence({ kind: 'no-debugpy', python: name }, t) };
  }
  if (facts.torch === null) {
    return {
      warning: t(
        'This Python has no PyTorch, so there is nothing to capture: run {0} -m pip install torch, or choose another interpreter.',
        name,
      ),
    };
  }
  return {};
}
