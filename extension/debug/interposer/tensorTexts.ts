import type { DelegateFactory } from './delegate';
import { ignoresEnvironment } from './ignoresEnvironment';
import { argumentsOf, type Request } from './messages';
import type { InterposerOptions } from './options';

/** How tensors are shown while the program is paused. */
export interface TensorTexts {
  /** Folder of the agent, which holds the plug-in for debugpy's debugger. */
  readonly agentDir: string;
  /** Elements of one tensor that are read at most; of a larger one, an evenly spread sample. */
  readonly maxElements: number;
  /** The person's language as VS Code names it. */
  readonly language: string;
}

/** {@link TensorTexts} as JSON, for the plug-in. */
export const TENSORS_VARIABLE = 'NORMSCOPE_TENSORS';

const INSTALL_TIMEOUT_MS = 15_000;

/** The environment variable's value. */
export function tensorSettings({ maxElements, language }: TensorTexts): string {
  return JSON.stringify({ maxElements, language });
}

const python = (value: string) => JSON.stringify(value);

/** Statements that put the texts into a debugger that runs already; once is enough. */
function installStatements(texts: TensorTexts): string {
  const code = [
    'import importlib.util, os, sys',
    'name = "_normscope_agent"',
    'if sys.version_info >= (3, 9):',
    '    if name not in sys.modules:',
    `        folder = os.path.join(${python(texts.agentDir)}, "normscope")`,
    '        spec = importlib.util.spec_from_file_location(',
    '            name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])',
    '        package = importlib.util.module_from_spec(spec)',
    '        sys.modules[name] = package',
    '        spec.loader.exec_module(package)',
    '    import_module = importlib.import_module',
    `    import_module(name + ".tensors.options").use(${python(tensorSettings(texts))})`,
    '    import_module(name + ".tensors.inline")',
    '    import_module(name + ".tensors.evaluates")',
    '    import_module(name + ".tensors.debugger_limits").limit_debugger()',
    '    import_module(name + ".tensors.presentation").install()',
  ].join('\n');
  return `exec(${python(code)}, {})`;
}

/** A process that was launched by this session finds the plug-in by its environment. */
function needsInstalling(start: Request): boolean {
  if (start.command === 'attach') return true;
  const args = argumentsOf(start);
  return start.command === 'launch' && args.noDebug !== true && ignoresEnvironment(args);
}

/**
 * Shows tensors shape first in Variables, hovers, watches and the debug console, also in processes
 * that were started without the plug-in on their path. Without it debugpy's own texts stay.
 */
export function tensorTexts({ tensors }: InterposerOptions): DelegateFactory {
  return (link) => {
    let start: number | undefined;
    return {
      fromClient(message) {
        if (tensors && message.type === 'request' && needsInstalling(message)) start = message.seq;
        return message;
      },
      fromAdapter(message) {
        if (message.type === 'response' && message.request_seq === start && message.success) {
          start = undefined;
          if (tensors) {
            const expression = installStatements(tensors);
            // Only the texts are lost when it fails.
            link
              .ask('evaluate', { expression, context: 'repl' }, INSTALL_TIMEOUT_MS)
              .catch(() => undefined);
          }
        }
        return message;
      },
    };
  };
}
