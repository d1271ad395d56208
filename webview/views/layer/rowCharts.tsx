import { maxIndex } from 'd3-array';
import type { LayerView } from '../../../extension/protocol/views';
import { Figure, Readings, tapOf, type Side } from '../../charts/figure';
import { cellCounts, drawHistogram, Histogram, type HistogramProps } from '../../charts/histogram';
import { cellMiddles } from '../../charts/ridgeTable';
import { formatCount, formatNumber } from '../../format';
import { finite, numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { figuresOf, SIDE_TITLES, SIDES } from './sides';

const FIGURES = ['RowMean', 'RowVariance'] as const;
type RowFigure = (typeof FIGURES)[number];

const TITLES = { RowMean: 'rowMeans', RowVariance: 'rowVariances' } as const;
const AXES = { RowMean: 'axisRowMean', RowVariance: 'axisRowVariance' } as const;

interface RowChartProps {
  readonly view: Loaded<LayerView>;
  readonly side: Side;
  readonly figure: RowFigure;
}

function RowChart({ view, side, figure }: RowChartProps) {
  const { body } = view;
  const tap = tapOf(side);
  const { elements = 0 } = figuresOf(body, tap) ?? {};
  const rows = Math.round(elements / Math.max(1, body.info.features));
  const props: HistogramProps = {
    side,
    range: figure === 'RowMean' ? body.rowMeanRange : body.rowVarianceRange,
    density: numbers(view, `${tap}${figure}Histogram`),
    total: rows,
    classes: [],
    log: false,
    titles: [text(AXES[figure]), text('axisRows')],
  };
  const middles = cellMiddles(props.range, props.density.length);
  const caption = text(
    'rowsCaption',
    formatCount(rows),
    formatNumber(middles[maxIndex(props.density)]),
  );
  return (
    <Figure
      id={`rows.${figure}.${side}`}
      size="small"
      side={side}
      title={text(TITLES[figure], text(SIDE_TITLES[side]))}
      caption={<Readings>{caption}</Readings>}
      sentence={text('rowsSentence', caption)}
      table={() => ({
        columns: [
          { title: props.titles[0], values: middles },
          { title: props.titles[1], values: cellCounts(props) },
        ],
      })}
      draw={drawHistogram(props)}
      definition="rows"
    >
      <Histogram {...props} />
    </Figure>
  );
}

/** How the means and variances of rows are distributed; nothing where a layer has no rows. */
export function RowCharts({ view }: { readonly view: Loaded<LayerView> }) {
  const figures = FIGURES.filter((figure) =>
    SIDES.some((side) => finite(numbers(view, `${tapOf(side)}${figure}Histogram`)).length > 0),
  );
  return (
    <>
      {figures.flatMap((figure) =>
        SIDES.map((side) => (
          <RowChart key={`${figure} ${side}`} view={view} side={side} figure={figure} />
        )),
      )}
    </>
  );
}
