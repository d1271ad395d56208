import type { HTMLAttributes } from 'preact';

/** Attributes the toolkit's elements understand beyond those of any element. */
type ToolkitElement<Extra = object> = HTMLAttributes<HTMLElement> & Extra;

interface Toolkit {
  'vscode-button': ToolkitElement<{ appearance?: 'primary' | 'secondary' | 'icon' }>;
  'vscode-checkbox': ToolkitElement<{ checked?: boolean }>;
  'vscode-dropdown': ToolkitElement<{ position?: 'above' | 'below' }>;
  'vscode-option': ToolkitElement<{ value?: string; selected?: boolean }>;
  'vscode-progress-ring': ToolkitElement;
  'vscode-text-field': ToolkitElement<{ value?: string; placeholder?: string }>;
}

declare module 'preact' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Preact's JSX types are extended
  namespace JSX {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the toolkit's tags
    interface IntrinsicElements extends Toolkit {}
  }
}
