import type { SourceLocation } from '../../extension/protocol/layers';
import { post } from '../state/vscodeApi';
import { text } from '../strings';

const fileName = (path: string): string => path.split(/[\\/]/).pop() ?? path;

interface SourceLinkProps {
  readonly label: string;
  readonly at: SourceLocation | null;
}

/** A place in the person's code, as a link that opens it. */
export function SourceLink({ label, at }: SourceLinkProps) {
  if (!at) return null;
  const { file, line } = at;
  return (
    <span class="fact">
      {label}{' '}
      <button
        type="button"
        class="link"
        title={text('revealHint', `${file}:${line}`)}
        onClick={() => post({ type: 'reveal', file, line })}
      >
        {`${fileName(file)}:${line}`}
      </button>
    </span>
  );
}
