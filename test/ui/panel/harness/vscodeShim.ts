/** The one part of `vscode` that the panel's texts need, where there is no VS Code. */
export const l10n = { t: (message: string): string => message };
