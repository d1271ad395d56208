import type { LayerInfo } from '../../../extension/protocol/layers';
import { text } from '../../strings';

/** What limits the meaning of this layer's figures, in sentences. */
export function Notes({ info }: { readonly info: LayerInfo }) {
  return (
    <section class="notes" aria-labelledby="notes-title">
      <h3 id="notes-title">{text('notes')}</h3>
      {info.status.length === 0 && <p class="hint">{text('noNotes')}</p>}
      {info.status.map(({ code, reason }) => (
        <p key={code} class="note">
          <span class="codicon codicon-info" aria-hidden="true" />
          <span>{reason}</span>
        </p>
      ))}
    </section>
  );
}
