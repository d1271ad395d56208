import * as vscode from 'vscode';
import { oneLine } from '../core/editor/markdown';
import { isPlainContainer } from '../core/editor/expressionReading';
import {
  isTensorText,
  nameAt,
  selectedExpression,
  type SelectedExpression,
} from '../core/editor/selectedExpression';
import { notificationText } from '../core/plainText';
import { takesOwnRequests } from '../protocol/ownSessions';
import { isRecord } from '../protocol/untrusted';

const { t } = vscode.l10n;

const say = (sentence: string) => void vscode.window.showInformationMessage(sentence);

const NODE_TYPES = new Set(['node', 'pwa-node']);

/** What is selected, or the name at the cursor. */
function pointedAt(editor: vscode.TextEditor): SelectedExpression | undefined {
  const { document, selection } = editor;
  // The session evaluates it, whatever document it comes from.
  const type = vscode.debug.activeStackItem?.session.type ?? '';
  const language = NODE_TYPES.has(type) ? 'javascript' : 'python';
  if (!selection.isEmpty) return selectedExpression(document.getText(selection), language);
  const { line, character } = selection.active;
  return nameAt(document.lineAt(line).text, character);
}

const shown = (text: string): string => notificationText(oneLine(text, 80));

async function evaluate(
  { session, frameId }: vscode.DebugStackFrame,
  expression: string,
): Promise<Readonly<Record<string, unknown>>> {
  const asked = { expression, frameId, context: 'watch' };
  const answer: unknown = await session.customRequest('evaluate', asked);
  return isRecord(answer) ? answer : {};
}

/** Whether everything that is indexed is a container or tensor of a library's, each looked at in turn. */
async function isPlain(
  frame: vscode.DebugStackFrame,
  indexed: readonly string[],
): Promise<boolean> {
  for (const base of indexed) {
    try {
      // No text of the value itself is asked for, which its class may make.
      const type = `__import__('builtins').type(${base})`;
      const { result } = await evaluate(frame, `${type}.__module__ + '.' + ${type}.__qualname__`);
      const name = typeof result === 'string' ? result.replace(/^'(.*)'$/, '$1') : '';
      if (!isPlainContainer(name)) return false;
    } catch {
      return false;
    }
  }
  return true;
}

/** Asks before code of the program's runs, once for an expression in a debug session. */
class Consent {
  private readonly given = new WeakMap<vscode.DebugSession, Set<string>>();

  async has(
    frame: vscode.DebugStackFrame,
    { text, runsCode, indexed }: SelectedExpression,
  ): Promise<boolean> {
    const given = this.given.get(frame.session) ?? new Set();
    if (given.has(text) || (!runsCode && (await isPlain(frame, indexed)))) return true;
    const evaluate = t('Evaluate');
    const question = t(
      '{0} may run code of the program, which may change its state or random numbers.',
      shown(text),
    );
    if ((await vscode.window.showWarningMessage(question, evaluate)) !== evaluate) return false;
    this.given.set(frame.session, given.add(text));
    return true;
  }
}

/** Where the program stands, in a session that shows tensors as texts; the person is told where there is none. */
function pausedFrame(): vscode.DebugStackFrame | undefined {
  const item = vscode.debug.activeStackItem;
  if (!(item instanceof vscode.DebugStackFrame)) {
    say(t('The program is not paused: pause it, or wait for a breakpoint, to see a tensor.'));
    return undefined;
  }
  if (takesOwnRequests(item.session) || NODE_TYPES.has(item.session.type)) return item;
  say(
    t(
      'This session shows no statistics of tensors: debug the script with norm capture, by the command Debug with Norm Capture….',
    ),
  );
  return undefined;
}

/** Evaluates what is selected in the frame in which the program stands, and shows a tensor's figures. */
async function showStatistics(consent: Consent): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const expression = editor && pointedAt(editor);
  if (!expression) {
    say(
      t('Select a tensor in the code while the program is paused, or put the cursor on its name.'),
    );
    return;
  }
  const frame = pausedFrame();
  if (!frame || !(await consent.has(frame, expression))) return;
  const { text } = expression;
  try {
    void tell(text, await evaluate(frame, text), NODE_TYPES.has(frame.session.type));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The last line of a traceback says what is wrong.
    const [why = ''] = reason.trim().split('\n').slice(-1);
    say(t('{0} has no value in this frame: {1}', shown(text), notificationText(oneLine(why))));
  }
}

async function tell(
  text: string,
  { result, type }: Readonly<Record<string, unknown>>,
  node: boolean,
): Promise<void> {
  const value = typeof result === 'string' ? result : '';
  if (!isTensorText(value) && node) {
    say(
      t(
        '{0} shows no tensor here: debug with norm capture, and pause in the function that holds it in a variable.',
        shown(text),
      ),
    );
    return;
  }
  if (!isTensorText(value)) {
    const kind = typeof type === 'string' && type !== '' ? type : t('something else');
    say(
      t(
        '{0} is no tensor but {1}: select a tensor or an array.',
        shown(text),
        notificationText(kind),
      ),
    );
    return;
  }
  const copy = t('Copy');
  const line = `${shown(text)} = ${notificationText(oneLine(value))}`;
  const chosen = await vscode.window.showInformationMessage(line, copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(`${text} = ${value}`);
}

export function registerSelectionStatistics(): vscode.Disposable {
  const consent = new Consent();
  return vscode.commands.registerCommand('normscope.showSelectionStatistics', () =>
    showStatistics(consent),
  );
}
