import { l10n } from 'vscode';
import type { StateStringKey } from '../../../protocol/panelStrings/state';

export const stateStrings = (): Readonly<Record<StateStringKey, string>> => ({
  connecting: l10n.t('Waiting for the extension …'),
  noRunTitle: l10n.t('No run yet'),
  noRunText: l10n.t(
    'Open a training script in Python or TensorFlow.js and debug it with norm capture. Its normalization layers show up here while it trains.',
  ),
  debugCurrentFile: l10n.t('Debug Current File'),
  addConfiguration: l10n.t('Add Configuration…'),
  startingTitle: l10n.t('{0} is starting'),
  startingText: l10n.t(
    'Its norm layers show up here once it has loaded PyTorch or TensorFlow.js and run its first step.',
  ),
  waitingTitle: l10n.t('{0} is running; no norm layer yet'),
  waitingText: l10n.t(
    '{0} is loaded. A layer shows up at the end of the first training step that uses it.',
  ),
  noLayerTitle: l10n.t('{0} has ended; no norm layer was seen'),
  noLayerText: l10n.t(
    'A norm layer is seen when the model runs it in a training step. Check that the script trains, and that it was started with norm capture.',
  ),
  noStepTitle: l10n.t('{0} has not finished a step'),
  noStepText: l10n.t(
    'Figures appear after the first optimizer update. A script that never calls an optimizer has no steps.',
  ),
  failed: l10n.t('This view could not be read: {0}'),
});
