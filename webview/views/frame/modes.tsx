import type { LayerStatus } from '../../../extension/protocol/layers';
import type { LayerRow } from '../../../extension/protocol/views';
import { Popup } from '../../charts/popup';
import { formatCount } from '../../format';
import { rows } from '../../state/panel';
import { text } from '../../strings';

/** Layers named for one mode; the rest are counted. */
const MOST_NAMED = 5;

interface Mode {
  readonly code: LayerStatus['code'];
  readonly reason: string;
  readonly layers: readonly string[];
}

/** What limits the figures of any layer, with the layers it holds for. */
export function modesOf(all: readonly LayerRow[]): readonly Mode[] {
  const modes = new Map<string, { code: LayerStatus['code']; reason: string; layers: string[] }>();
  for (const { info } of all) {
    for (const { code, reason } of info.status) {
      const mode = modes.get(code) ?? { code, reason, layers: [] };
      mode.layers.push(info.name);
      modes.set(code, mode);
    }
  }
  return [...modes.values()];
}

const named = ({ code, layers }: Mode): string =>
  text('modeLayers', text(`mode.${code}`), formatCount(layers.length));

function Reasons({ modes }: { readonly modes: readonly Mode[] }) {
  return (
    <dl class="modes">
      {modes.map((mode) => (
        <div key={mode.code}>
          <dt>{named(mode)}</dt>
          <dd>
            {mode.reason}
            <span class="hint">
              {mode.layers.slice(0, MOST_NAMED).join(', ')}
              {mode.layers.length > MOST_NAMED &&
                ` ${text('modeMore', formatCount(mode.layers.length - MOST_NAMED))}`}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The modes of the model's layers, counted; the reasons are a press away. */
export function Modes() {
  const modes = modesOf(rows.value);
  if (modes.length === 0) return null;
  return (
    <span class="fact" data-fact="modes">
      <Popup
        id="modes"
        words
        face={modes.map(named).join(' · ')}
        label={text('modes')}
        kind="dialog"
        content={() => <Reasons modes={modes} />}
      />
    </span>
  );
}
