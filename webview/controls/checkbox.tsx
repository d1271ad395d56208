import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './elements';

interface CheckboxProps {
  readonly checked: boolean;
  readonly hint: string;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

export function Checkbox({ checked, hint, onChange, children }: CheckboxProps) {
  const ref = useRef<HTMLElement & { checked: boolean }>(null);
  useEffect(() => {
    if (ref.current) ref.current.checked = checked;
  }, [checked]);
  return (
    <vscode-checkbox
      ref={ref}
      title={hint}
      onChange={() => onChange(ref.current?.checked ?? checked)}
    >
      {children}
    </vscode-checkbox>
  );
}
