import { useSignalEffect } from '@preact/signals';
import { Popup } from '../../charts/popup';
import { formatPercent } from '../../format';
import { deepCapture, noteCost } from '../../state/deepCost';
import { text } from '../../strings';
import { intervalWords } from './intervalWords';

/** That a layer is captured in depth, and what that costs. */
export function DeepFact() {
  useSignalEffect(noteCost);
  const deep = deepCapture.value;
  if (!deep) return null;
  const { layer, now, before } = deep;
  return (
    <span class="fact" data-fact="deep">
      <Popup
        id="deep-capture"
        words
        face={text('deepFact')}
        label={text('deepHint', layer)}
        kind="dialog"
        content={() => (
          <>
            <p>{text('deepHint', layer)}</p>
            <p class="hint">
              {text('deepNow', formatPercent(now.overheadPercent), intervalWords(now.interval))}
            </p>
            {before && (
              <p class="hint">
                {text(
                  'deepBefore',
                  formatPercent(before.overheadPercent),
                  intervalWords(before.interval),
                )}
              </p>
            )}
          </>
        )}
      />
    </span>
  );
}
