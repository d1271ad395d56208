import { l10n } from 'vscode';
import { countText } from '../core/editor/numbers';
import type { Run } from '../core/runStore/run';
import type { RunPhase } from '../protocol/runSummary';

/** How a run stands, in a word. */
export function phaseWord(phase: RunPhase): string {
  switch (phase) {
    case 'starting':
      return l10n.t('starting');
    case 'running':
      return l10n.t('running');
    case 'paused':
      return l10n.t('paused');
    case 'ended':
      return l10n.t('ended');
    case 'disconnected':
      return l10n.t('disconnected');
  }
}

/** Which run it is and how it stands; the program's name is the process's own word. */
export function runState(run: Run): string {
  const { lastStep } = run;
  const phase = phaseWord(run.phase);
  if (lastStep === null) return `${run.program} · ${phase}`;
  const step = countText(lastStep);
  // Where steps are left out, the process is further than what is known of it.
  return run.summary().interval > 1
    ? l10n.t('{0} · {1} · step {2}, the last captured', run.program, phase, step)
    : l10n.t('{0} · {1} · step {2}', run.program, phase, step);
}
