import type { Severity } from '../protocol/alerts';

/** VS Code's icons for what is out of the ordinary. */
export const SEVERITY_ICONS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'info',
};
