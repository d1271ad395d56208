import { formatCount } from '../../format';
import { stepRange, zoomTo } from '../../state/runs';
import { wholeRun } from '../../state/wholeRun';
import { text } from '../../strings';

/** Which steps the charts show, where that is not all of them. */
export function ZoomNotice() {
  const range = stepRange.value;
  return (
    <div class="zoom-notice" role="status">
      {range && (
        <>
          {text('zoomed', ...[...range, ...wholeRun.value].map(formatCount))}{' '}
          <button type="button" class="link" onClick={() => zoomTo(null)}>
            {text('zoomAll')}
          </button>
        </>
      )}
    </div>
  );
}
