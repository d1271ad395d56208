import * as vscode from 'vscode';
import type { EditorModel } from '../core/editor/editorModel';
import { countText } from '../core/editor/numbers';
import type { Run } from '../core/runStore/run';
import type { RunId } from '../protocol/ids';
import { ReferenceMemory, type Storage } from './referenceMemory';

const { t } = vscode.l10n;

export interface ReferenceOptions {
  readonly storage: Storage;
  /** The step that the panel shows; undefined while it follows the newest, or is closed. */
  shownStep(): { readonly run: RunId; readonly step: number } | undefined;
}

/** The first and the newest step that can be compared with; undefined before the first. */
function keptSteps(run: Run): { readonly first: number; readonly last: number } | undefined {
  const records = run.history.records();
  const [first, last] = [records[0]?.step, records.at(-1)?.step];
  return first === undefined || last === undefined ? undefined : { first, last };
}

async function askStep(run: Run): Promise<number | undefined> {
  const kept = keptSteps(run);
  if (!kept) return undefined;
  const range = [countText(kept.first), countText(kept.last)] as const;
  const numberOf = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
  const text = await vscode.window.showInputBox({
    title: t('Set Reference Step'),
    prompt: t(
      'Step to measure drift against, from {0} to {1}; where it was not captured, the nearest before it.',
      ...range,
    ),
    value: String(kept.last),
    validateInput: (value) => {
      const step = numberOf(value);
      return step >= kept.first && step <= (keptSteps(run)?.last ?? kept.last)
        ? undefined
        : t('Captured steps are those from {0} to {1}.', ...range);
    },
  });
  return text === undefined ? undefined : numberOf(text);
}

/** Registers the commands that choose the step which drift is measured against, and keeps the choice. */
export function registerReferenceStep(
  model: EditorModel,
  { storage, shownStep }: ReferenceOptions,
): vscode.Disposable {
  const { store } = model;

  /** The run that the panel shows, with its step; else the one that the editor shows. */
  const target = () => {
    const shown = shownStep();
    const run = shown && store.get(shown.run);
    return run ? { run, step: shown.step } : { run: model.current.get(), step: undefined };
  };
  const set = async (argument?: unknown): Promise<void> => {
    const { run, step: shown } = target();
    if (!run || !keptSteps(run)) {
      const text = t(
        'No step was captured yet: debug a training script with norm capture, and wait for its first training step.',
      );
      void vscode.window.showInformationMessage(text);
      return;
    }
    const named = Number.isSafeInteger(argument) ? Number(argument) : shown;
    const step = named ?? (await askStep(run));
    const kept = keptSteps(run);
    if (step === undefined || !kept) return;
    if (!(step >= kept.first)) {
      void vscode.window.showInformationMessage(
        t('Captured steps are those from {0} to {1}.', countText(kept.first), countText(kept.last)),
      );
      return;
    }
    store.chooseReference(run, step);
    const taken = run.reference.step;
    if (taken === null) return;
    const text =
      taken === step
        ? t('Drift is measured against step {0}', countText(taken))
        : t(
            'Drift is measured against step {0}, the nearest kept before {1}',
            countText(taken),
            countText(step),
          );
    vscode.window.setStatusBarMessage(text, 5_000);
  };
  const clear = (): void => {
    for (const run of new Set([target().run, model.current.get()])) {
      if (run) store.chooseReference(run, null);
    }
  };
  const memory = new ReferenceMemory(storage, store);
  return vscode.Disposable.from(
    memory,
    vscode.commands.registerCommand('normscope.setReferenceStep', set),
    vscode.commands.registerCommand('normscope.clearReferenceStep', clear),
  );
}
