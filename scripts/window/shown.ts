import { inRoot, root } from '../setup/paths';
import type { Report } from '../setup/report';

export interface WindowOptions {
  /** Interpreter of the examples. */
  readonly python: string;
  readonly report: Report;
}

/** What every VS Code that shows the examples is told. */
export const shown = {
  folder: inRoot('examples'),
  extension: root,
  /** Starts the demonstration when the window opens. */
  demo: inRoot('scripts', 'demo'),
  settings: (python: string) => ({
    'python.defaultInterpreterPath': python,
    'workbench.startupEditor': 'none',
    'security.workspace.trust.enabled': false,
    'telemetry.telemetryLevel': 'off',
  }),
};
