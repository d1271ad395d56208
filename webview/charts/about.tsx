import type { DefinitionId } from '../../extension/protocol/definitions';
import { post } from '../state/vscodeApi';
import { text } from '../strings';
import { Icon, Popup } from './popup';

interface AboutProps {
  /** Of the chart. */
  readonly id: string;
  readonly title: string;
  readonly definition: DefinitionId;
}

/** How the figures of a chart are computed, what they count, and where to read more. */
export function About({ id, title, definition }: AboutProps) {
  return (
    <Popup
      id={`${id}-about`}
      face={<Icon name="info" />}
      label={text('about', title)}
      kind="dialog"
      content={(close) => (
        <>
          <p class="formula">{text(`formula.${definition}`)}</p>
          <p class="hint">{text('aboutUnit', text(`unit.${definition}`))}</p>
          <button
            type="button"
            class="link"
            onClick={() => {
              close();
              post({ type: 'definition', id: definition });
            }}
          >
            {text('aboutMore')}
          </button>
        </>
      )}
    />
  );
}
