import type { Tap } from '../../../extension/protocol/layers';
import type { PanelStringKey } from '../../../extension/protocol/panelStrings';
import type { LayerView, TapFigures } from '../../../extension/protocol/views';
import { SideMark, type Side } from '../../charts/figure';
import { formatConstant, formatCount, formatNumber, UNKNOWN } from '../../format';
import { text } from '../../strings';

type Figure = Exclude<keyof TapFigures, 'tap'>;

interface Column {
  readonly tap: Tap;
  readonly side: Side;
  readonly title: PanelStringKey;
}

interface Part {
  readonly title: PanelStringKey;
  readonly columns: readonly Column[];
}

const PARTS: readonly Part[] = [
  {
    title: 'figuresForward',
    columns: [
      { tap: 'pre', side: 'before', title: 'before' },
      { tap: 'post', side: 'after', title: 'after' },
    ],
  },
  {
    title: 'figuresBackward',
    columns: [
      { tap: 'gradPre', side: 'before', title: 'gradBefore' },
      { tap: 'gradPost', side: 'after', title: 'gradAfter' },
    ],
  },
];

interface Line {
  readonly figure: Figure;
  readonly title: PanelStringKey;
  readonly count?: true;
  /** Two digits say enough. */
  readonly rough?: true;
  /** Left out where no tap has it. */
  readonly seldom?: true;
  /** Anything but 0 wants attention. */
  readonly alarming?: true;
}

const GROUPS: readonly (readonly Line[])[] = [
  [
    { figure: 'mean', title: 'figureMean' },
    { figure: 'std', title: 'figureStd' },
    { figure: 'min', title: 'figureMin' },
    { figure: 'max', title: 'figureMax' },
    { figure: 'norm', title: 'figureNorm' },
    { figure: 'skewness', title: 'figureSkewness' },
    { figure: 'kurtosis', title: 'figureKurtosis' },
    { figure: 'headroom', title: 'figureHeadroom', rough: true },
  ],
  [
    { figure: 'nan', title: 'figureNan', count: true, alarming: true },
    { figure: 'positiveInfinity', title: 'figurePositiveInfinity', count: true, alarming: true },
    { figure: 'negativeInfinity', title: 'figureNegativeInfinity', count: true, alarming: true },
    { figure: 'zero', title: 'figureZero', count: true },
    { figure: 'subnormal', title: 'figureSubnormal', count: true },
    { figure: 'deadFeatures', title: 'figureDead', count: true },
  ],
  [
    { figure: 'elements', title: 'figureElements', count: true },
    { figure: 'samples', title: 'figureSamples', count: true },
    { figure: 'paddingRows', title: 'figurePadding', count: true, seldom: true },
    { figure: 'unpaddedMean', title: 'figureUnpaddedMean', seldom: true },
    { figure: 'unpaddedStd', title: 'figureUnpaddedStd', seldom: true },
  ],
];

function cellText(figures: TapFigures | undefined, { figure, count, rough }: Line): string {
  const value = figures?.[figure];
  if (value === undefined) return UNKNOWN;
  if (rough && value !== null) return formatConstant(Number(value.toPrecision(2)));
  return count ? formatCount(value) : formatNumber(value);
}

function PartTable({ view, part }: { readonly view: LayerView; readonly part: Part }) {
  const of = (tap: Tap) => view.figures.find((figures) => figures.tap === tap);
  const isThere = ({ figure, seldom }: Line) =>
    !seldom || part.columns.some(({ tap }) => of(tap)?.[figure]);
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">{text(part.title)}</th>
          {part.columns.map(({ tap, side, title }) => (
            <th key={tap} scope="col">
              <SideMark side={side} />
              {text(title)}
            </th>
          ))}
        </tr>
      </thead>
      {GROUPS.map((lines, group) => (
        <tbody key={group}>
          {lines.filter(isThere).map((line) => (
            <tr key={line.figure} data-figure={line.figure}>
              <th scope="row">{text(line.title)}</th>
              {part.columns.map(({ tap }) => {
                const alarm = line.alarming && (of(tap)?.[line.figure] ?? 0) > 0;
                return (
                  <td key={tap} data-tap={tap} class={alarm ? 'alarm' : undefined}>
                    {cellText(of(tap), line)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Every figure of the layer at the shown step: forward, then backward. */
export function FiguresTable({ view }: { readonly view: LayerView }) {
  return (
    <div class="figures-section">
      <h3 id="figures-title">{text('figuresAt', formatCount(view.step))}</h3>
      {PARTS.map((part) => (
        <PartTable key={part.title} view={view} part={part} />
      ))}
      {view.lossScale !== null && (
        <p class="hint">{text('lossScaled', formatNumber(view.lossScale))}</p>
      )}
    </div>
  );
}
