import * as vscode from 'vscode';
import { oneLine } from '../core/editor/markdown';
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

/** What is selected, or the name at the cursor. */
function pointedAt(editor: vscode.TextEditor): SelectedExpression | undefined {
  const { document, selection } = editor;
  if (!selection.isEmpty) return selectedExpression(document.getText(selection));
  const { line, character } = selection.active;
  return nameAt(document.lineAt(line).text, character);
}

/** Code of the program's runs only once the person has said so. */
async function mayEvaluate({ text, runsCode }: SelectedExpression): Promise<boolean> {
  if (!runsCode) return true;
  const evaluate = t('Evaluate');
  const question = t(
    '{0} calls code of the program, which may change its state or random numbers.',
    shown(text),
  );
  return (await vscode.window.showWarningMessage(question, evaluate)) === evaluate;
}

const shown = (text: string): string => notificationText(oneLine(text, 80));

/** Evaluates what is selected in the frame in which the program stands, and shows a tensor's figures. */
async function showStatistics(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const expression = editor && pointedAt(editor);
  if (!expression) {
    say(
      t('Select a tensor in the code while the program is paused, or put the cursor on its name.'),
    );
    return;
  }
  if (!(await mayEvaluate(expression))) return;
  const item = vscode.debug.activeStackItem;
  if (!(item instanceof vscode.DebugStackFrame)) {
    say(t('The program is not paused: pause it, or wait for a breakpoint, to see a tensor.'));
    return;
  }
  if (!takesOwnRequests(item.session)) {
    say(
      t(
        'This session shows no statistics of tensors: debug the script with norm capture, by the command Debug with Norm Capture….',
      ),
    );
    return;
  }
  const { text } = expression;
  try {
    const answer: unknown = await item.session.customRequest('evaluate', {
      expression: text,
      frameId: item.frameId,
      context: 'watch',
    });
    void tell(text, answer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The last line of a traceback says what is wrong.
    const [why = ''] = reason.trim().split('\n').slice(-1);
    say(t('{0} has no value in this frame: {1}', shown(text), notificationText(oneLine(why))));
  }
}

async function tell(text: string, answer: unknown): Promise<void> {
  const { result, type } = isRecord(answer) ? answer : {};
  const value = typeof result === 'string' ? result : '';
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

export const registerSelectionStatistics = (): vscode.Disposable =>
  vscode.commands.registerCommand('normscope.showSelectionStatistics', showStatistics);
