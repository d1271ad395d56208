import type { PanelStringKey } from '../../../extension/protocol/panelStrings';
import type { DeepFigures, LayerView } from '../../../extension/protocol/views';
import { SideMark, tapOf } from '../../charts/figure';
import { formatCount, formatNumber } from '../../format';
import { text } from '../../strings';
import { SIDES } from './sides';

type Figure = Exclude<keyof DeepFigures, 'tap'>;

const LINES: readonly { readonly figure: Figure; readonly title: PanelStringKey }[] = [
  { figure: 'participationRatio', title: 'deepParticipation' },
  { figure: 'participationFloor', title: 'deepWhite' },
  { figure: 'meanCorrelation', title: 'deepCorrelation' },
  { figure: 'correlationFloor', title: 'deepWhite' },
];

/** What the newest deep capture says of the features together, with what white data would show. */
export function DeepTable({ view }: { readonly view: LayerView }) {
  const { deep } = view;
  if (!deep || deep.taps.every(({ participationRatio }) => participationRatio === null))
    return null;
  const of = (tap: string) => deep.taps.find((each) => each.tap === tap);
  return (
    <table class="figures deep">
      <thead>
        <tr>
          <th scope="col">{text('deepTitle', formatCount(deep.step))}</th>
          {SIDES.map((side) => (
            <th key={side} scope="col">
              <SideMark side={side} />
              {text(side)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {LINES.map(({ figure, title }) => (
          <tr key={figure} data-figure={figure}>
            <th scope="row">{text(title)}</th>
            {SIDES.map((side) => (
              <td key={side} data-tap={tapOf(side)}>
                {formatNumber(of(tapOf(side))?.[figure])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
