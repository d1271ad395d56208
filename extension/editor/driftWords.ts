import { l10n } from 'vscode';
import { countText, shortFigure } from '../core/editor/numbers';
import type { Run } from '../core/runStore/run';

/** What drift is called: against the step before it has no more to its name. */
export function driftName({ reference: { step } }: Run): string {
  return step === null ? l10n.t('drift') : l10n.t('drift from step {0}', countText(step));
}

/** Drift with what sampling alone makes of it, and the step it is measured against where one is chosen. */
export function driftText({ reference: { step } }: Run, drift: number, floor: number): string {
  const figures = [shortFigure(drift), shortFigure(floor)] as const;
  return step === null
    ? l10n.t('{0} (floor {1})', ...figures)
    : l10n.t('{0} from step {2} (floor {1})', ...figures, countText(step));
}
