import type { ExtremeRowFigures, LayerView } from '../../../extension/protocol/views';
import { SideMark, tapOf, type Side } from '../../charts/figure';
import { formatCount, formatNumber } from '../../format';
import { chosenSample } from '../../state/layerDetail';
import { text } from '../../strings';
import { rowPlace } from './rowIndex';
import { SIDE_TITLES, SIDES } from './sides';

function place(view: LayerView, { index }: ExtremeRowFigures): string {
  const found = rowPlace(index, view.info);
  return found ? `[${found.map(formatCount).join(', ')}]` : formatCount(index);
}

interface RowsProps {
  readonly view: LayerView;
  readonly side: Side;
  readonly rows: readonly ExtremeRowFigures[];
}

function Rows({ view, side, rows }: RowsProps) {
  return (
    <table class="figures rows" data-side={side}>
      <caption>
        <SideMark side={side} />
        {text('extremeRows', text(SIDE_TITLES[side]))}
      </caption>
      <thead>
        <tr>
          <th scope="col">{text('extremeRow')}</th>
          <th scope="col">{text('axisMean')}</th>
          <th scope="col">{text('axisStd')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const sample = rowPlace(row.index, view.info)?.[0];
          return (
            <tr key={row.index}>
              <th scope="row">
                {sample === undefined ? (
                  place(view, row)
                ) : (
                  <button
                    type="button"
                    class="link"
                    title={text('extremeRowHint', formatCount(sample))}
                    onClick={() => chosenSample.choose(sample)}
                  >
                    {place(view, row)}
                  </button>
                )}
              </th>
              <td>{formatNumber(row.mean)}</td>
              <td>{formatNumber(Math.sqrt(row.variance))}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The rows furthest out at the selected step, by [sample, position]. */
export function ExtremeRows({ view }: { readonly view: LayerView }) {
  const sides = SIDES.map((side) => ({ side, rows: view.extremeRows[tapOf(side)] ?? [] }));
  if (sides.every(({ rows }) => rows.length === 0)) return null;
  return (
    <div class="charts pair extreme-rows">
      {sides.map(({ side, rows }) => (
        <Rows key={side} view={view} side={side} rows={rows} />
      ))}
    </div>
  );
}
