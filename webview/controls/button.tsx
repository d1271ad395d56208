import type { ComponentChildren } from 'preact';
import './elements';

interface ButtonProps {
  readonly primary?: boolean;
  readonly pressed?: boolean;
  readonly hint?: string;
  readonly onPress: () => void;
  readonly children: ComponentChildren;
}

/** A push button; with `pressed`, one that stays down. */
export function Button({ primary = false, pressed, hint, onPress, children }: ButtonProps) {
  return (
    <vscode-button
      class="button"
      appearance={primary ? 'primary' : 'secondary'}
      aria-pressed={pressed}
      title={hint}
      onClick={onPress}
    >
      {children}
    </vscode-button>
  );
}
