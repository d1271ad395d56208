import { downloadedVscode, hasDisplay, installedVscode } from '../setup/vscode';
import { showInBrowser } from './inBrowser';
import { showOnDesktop } from './onDesktop';
import type { WindowOptions } from './shown';

/**
 * Shows the examples in the first VS Code that can be had: an installed one, a downloaded one, or
 * the server in a browser. Ends when the person closes it or presses Ctrl-C.
 * @returns the exit code.
 */
export async function showInWindow(options: WindowOptions): Promise<number> {
  if (hasDisplay()) {
    const program = installedVscode() ?? (await downloadedVscode(options.report));
    if (program !== undefined) return showOnDesktop(program, options);
  }
  return showInBrowser(options);
}
