import { useEffect, useRef } from 'preact/hooks';
import './elements';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface DropdownProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function Dropdown({ label, choices, value, onChange }: DropdownProps) {
  const ref = useRef<HTMLElement & { value: string }>(null);
  // The element takes a value only once it has seen its options.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (ref.current && ref.current.value !== value) ref.current.value = value;
    });
    return () => cancelAnimationFrame(frame);
  });
  const change = () => {
    const next = ref.current?.value;
    if (next && next !== value) onChange(next);
  };
  return (
    <vscode-dropdown ref={ref} class="dropdown" aria-label={label} onChange={change}>
      {choices.map((choice) => (
        <vscode-option key={choice.value} value={choice.value} selected={choice.value === value}>
          {choice.label}
        </vscode-option>
      ))}
    </vscode-dropdown>
  );
}
