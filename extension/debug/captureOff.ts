import { l10n } from 'vscode';

/** What the debug console says where capture was asked for and the settings turn it off. */
export const captureOff = (): string =>
  l10n.t(
    'Norm capture is off: turn on the setting normscope.capture.enabled and start again to capture.',
  );
