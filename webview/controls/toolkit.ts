/**
 * Registers the controls of `@vscode/webview-ui-toolkit` that the panel uses.
 *
 * The toolkit is deprecated: its base, FAST Foundation, is no longer developed, and its repository
 * was archived in January 2025. To leave it for `@vscode-elements/elements`, import that package's
 * `vscode-button`, `vscode-single-select`, `vscode-checkbox`, `vscode-textfield` and `vscode-progress-ring` here instead, and rename the tags in this folder; nothing outside
 * `controls/` knows them.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeProgressRing,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeProgressRing(),
    vsCodeTextField(),
  );
}
