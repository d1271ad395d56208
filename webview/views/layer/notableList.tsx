import type { LayerView, NotableFeature } from '../../../extension/protocol/views';
import { SideMark, tapOf, type Side } from '../../charts/figure';
import { formatCount, formatNumber } from '../../format';
import { chosenFeature } from '../../state/layerDetail';
import { text } from '../../strings';
import { SIDES } from './sides';

function words({ kind, mean, std, ratio }: NotableFeature): string {
  switch (kind) {
    case 'dead':
      return text('notableDead', formatNumber(mean));
    case 'wide':
      return text('notableWide', formatNumber(std), formatNumber(ratio));
    case 'far':
      return text('notableFar', formatNumber(mean), formatNumber(ratio));
  }
}

interface NotableProps {
  readonly side: Side;
  readonly found: NotableFeature;
}

function Notable({ side, found }: NotableProps) {
  const { feature } = found;
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={chosenFeature.index.value === feature}
      title={text('notableHint', formatCount(feature))}
      onClick={() => chosenFeature.choose(feature)}
    >
      <SideMark side={side} />
      <strong>{formatCount(feature)}</strong> {words(found)}
    </button>
  );
}

/** Features that are dead or unlike the others: how many, and the worst by name. */
export function NotableList({ view }: { readonly view: LayerView }) {
  const sides = SIDES.map((side) => ({ side, found: view.notable[tapOf(side)] }));
  const total = (of: 'dead' | 'outlying') =>
    sides.map(({ found }) => formatCount(found?.[of] ?? 0));
  const none = sides.every(({ found }) => (found?.worst.length ?? 0) === 0);
  return (
    <div class="notable">
      <p class="caption">
        {none ? text('notableNone') : text('notableCounts', ...total('dead'), ...total('outlying'))}
      </p>
      {!none && (
        <div class="chips">
          {sides.flatMap(({ side, found }) =>
            (found?.worst ?? []).map((each) => (
              <Notable key={`${side} ${each.feature}`} side={side} found={each} />
            )),
          )}
        </div>
      )}
    </div>
  );
}
