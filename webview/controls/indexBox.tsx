import { useEffect, useRef } from 'preact/hooks';
import './elements';

interface IndexBoxProps {
  readonly label: string;
  readonly value: number;
  /** Indices go from 0 to one below. */
  readonly count: number;
  readonly onChange: (value: number) => void;
}

/** An index that is typed, or moved by the arrow keys. */
export function IndexBox({ label, value, count, onChange }: IndexBoxProps) {
  const ref = useRef<HTMLElement & { value: string }>(null);
  useEffect(() => {
    if (ref.current) ref.current.value = String(value);
  }, [value]);
  const take = (next: number) => {
    const inside = Number.isInteger(next) && next >= 0 && next < count;
    if (inside) onChange(next);
    else if (ref.current) ref.current.value = String(value);
  };
  return (
    <span class="index-box">
      <span class="caption" aria-hidden="true">
        {label}
      </span>
      <vscode-text-field
        ref={ref}
        aria-label={label}
        value={String(value)}
        onChange={() => take(Number(ref.current?.value))}
        onKeyDown={(event) => {
          const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          take(value + by);
        }}
      />
    </span>
  );
}
