import { useRef } from 'preact/hooks';
import './elements';

interface SearchBoxProps {
  readonly label: string;
  readonly onInput: (text: string) => void;
}

export function SearchBox({ label, onInput }: SearchBoxProps) {
  const ref = useRef<HTMLElement & { value: string }>(null);
  return (
    <vscode-text-field
      ref={ref}
      class="search-box"
      placeholder={label}
      aria-label={label}
      onInput={() => onInput(ref.current?.value ?? '')}
    >
      <span slot="start" class="codicon codicon-search" aria-hidden="true" />
    </vscode-text-field>
  );
}
