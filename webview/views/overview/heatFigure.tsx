import { useEffect, useMemo, useRef } from 'preact/hooks';
import { MODEL_FIGURES, type ModelFigure } from '../../../extension/protocol/modelFigures';
import type { HeatView } from '../../../extension/protocol/modelViews';
import { Figure, Readings } from '../../charts/figure';
import { HeatMap } from '../../charts/heatMap';
import { drawHeatMap } from '../../charts/heatMapDrawing';
import type { HeatPlace } from '../../charts/heatMapPointer';
import { ScaleSwitch, scaleOf } from '../../charts/scaleSwitch';
import { Dropdown } from '../../controls/dropdown';
import { formatCount } from '../../format';
import { heatFigure, heatWidth } from '../../state/model';
import { chooseLayer, chooseSection, rows as layerRows, selectedRow } from '../../state/panel';
import { chooseStep, stepChoice, stepRange, zoomTo } from '../../state/runs';
import type { Loaded } from '../../state/viewData';
import { wholeRun } from '../../state/wholeRun';
import { text } from '../../strings';
import { palette } from '../../theme/palette';
import { FIGURE_INFO, figureTitle, formatFigure } from '../model/figureInfo';
import { GroupsButton } from '../model/groupsButton';
import { measureIn } from '../model/measure';
import { namesOf, roomForRows, rowsOf, toggleGroup } from '../model/modelGroups';
import { windowSize } from '../model/windowSize';
import { alertMarks } from '../alerts/alertMarks';
import { heatData } from './heatData';
import { HeatReading, type HeatCell } from './heatReading';
import { heatTable, heatValues } from './heatTable';

/** Most of the figure's width that names of layers may take. */
const GUTTER_SHARE = 0.34;

function Controls({ figure, title }: { readonly figure: ModelFigure; readonly title: string }) {
  const scale = scaleOf(`heat.${figure}`, FIGURE_INFO[figure].log ? 'log' : 'linear');
  return (
    <>
      <Dropdown
        label={text('heatFigure')}
        value={figure}
        choices={MODEL_FIGURES.map((value) => ({ value, label: figureTitle(value) }))}
        onChange={(value) => {
          const next = MODEL_FIGURES.find((known) => known === value);
          if (next) heatFigure.choose(next);
        }}
      />
      <ScaleSwitch title={title} scale={scale} />
      <GroupsButton />
    </>
  );
}

/** The figure chosen, over all layers and steps. */
export function HeatFigure({ view }: { readonly view: Loaded<HeatView> }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      heatWidth.value = element.clientWidth;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const layers = layerRows.value;
  const { figure } = view.body;
  const names = useMemo(() => namesOf(view.body.layers, layers), [view, layers]);
  const rows = rowsOf(names);
  const shape = rows.map(({ group, layers: own }) => `${group.key}/${own.length}`).join();
  const found = alertMarks(view.body.layers);
  const marks = useMemo(() => found, [JSON.stringify(found)]);
  const log = scaleOf(`heat.${figure}`, FIGURE_INFO[figure].log ? 'log' : 'linear');
  const isLog = log.current.value === 'log';
  const room = roomForRows(windowSize.value.height);
  const gutter = Math.floor(heatWidth.value * GUTTER_SHARE);
  const { font } = palette.value;
  const data = useMemo(
    () => heatData({ view, rows, log: isLog, marks, room, gutter, measure: measureIn(font) }),
    [view, shape, isLog, marks, room, gutter, font],
  );
  const reading = useMemo(() => new HeatReading(view, names), [view, names]);

  const chosen = selectedRow.value?.info.id;
  const chosenLayer = chosen === undefined ? -1 : view.body.layers.indexOf(chosen);
  const chosenRow = data.rows.findIndex(({ layers: own }) => own.includes(chosenLayer));
  const whole = wholeRun.value;
  const newest = reading.ends[reading.columns - 1] ?? null;
  const shownStep = stepChoice.value === 'live' ? newest : stepChoice.value;

  const cellAt = ({ row, column }: HeatPlace): HeatCell | undefined => {
    const own = data.rows[row];
    if (!own) return undefined;
    // A collapsed group stands for the chosen layer where that is the one that was chosen in it.
    return reading.worst(own, column);
  };
  const choose = (place: HeatPlace) => {
    const cell = cellAt(place);
    const id = cell && view.body.layers[cell.layer];
    if (id !== undefined) chooseLayer(id);
    const last = place.column === reading.columns - 1 && !stepRange.value;
    const step = cell?.step ?? reading.ends[place.column];
    if (last && cell?.step === newest) chooseStep('live');
    else if (step !== undefined) chooseStep(step);
  };
  const title = text('heatTitle', figureTitle(figure));
  const largest = useMemo(() => reading.largest(), [reading]);
  const summary = largest
    ? text(
        'heatCaption',
        formatFigure(figure, largest.value),
        reading.name(largest.layer),
        formatCount(largest.step),
      )
    : text('heatEmpty');
  const sentence = text(
    'heatSentence',
    formatCount(view.body.layers.length),
    formatCount(reading.steps[0]),
    formatCount(newest),
    summary.split(' · ').join(', '),
  );
  return (
    <div class="heat-figure" ref={box}>
      <Figure
        id="heat"
        size="tall"
        title={title}
        caption={<Readings>{summary}</Readings>}
        sentence={sentence}
        table={() => heatTable(reading, shownStep)}
        data={() => heatValues(reading)}
        draw={(surface, colours) => drawHeatMap(surface, colours, data)}
        definition={FIGURE_INFO[figure].definition}
        speaks
        controls={<Controls figure={figure} title={title} />}
      >
        <HeatMap
          data={data}
          keys={text('heatKeys')}
          label={`${title}. ${sentence}`}
          range={stepRange.value ?? whole}
          whole={whole}
          selectedRow={chosenRow}
          selectedStep={shownStep}
          describe={(place) => {
            const cell = cellAt(place);
            return cell ? reading.words(cell) : [];
          }}
          openHint={text('heatOpen')}
          allStepsHint={stepRange.value ? text('heatAllSteps') : undefined}
          groupLabel={(row) => {
            const group = data.rows[row]?.group;
            return text('groupLabel', group?.path ?? '', formatCount(group?.layers.length));
          }}
          onChoose={choose}
          onOpen={(place) => {
            choose(place);
            chooseSection('layer');
          }}
          onZoom={zoomTo}
          onToggle={(row) => {
            const group = data.rows[row]?.group;
            if (group) toggleGroup(group);
          }}
        />
      </Figure>
    </div>
  );
}
