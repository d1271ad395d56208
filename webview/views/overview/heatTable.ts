import { columnAt, columnEdges } from '../../charts/heatMapGeometry';
import type { ChartTable } from '../../charts/chartTable';
import { formatCount } from '../../format';
import { text } from '../../strings';
import { figureTitle } from '../model/figureInfo';
import type { HeatReading } from './heatReading';

/** A row a layer: its value at the chosen step, and the largest of all steps that are shown. */
export function heatTable(reading: HeatReading, step: number | null): ChartTable {
  const layers = Array.from({ length: reading.floors.length }, (_, layer) => layer);
  const column = step === null ? -1 : columnAt(columnEdges(reading.steps, reading.ends), step);
  const largest = layers.map((layer) => reading.largestOf(layer));
  const title = figureTitle(reading.figure);
  const floors = reading.floors.every(Number.isNaN)
    ? []
    : [{ title: text('columnFloor'), values: reading.floors }];
  return {
    columns: [
      { title: text('columnLayer'), values: layers.map((layer) => reading.name(layer)) },
      {
        title: text('columnAtStep', title, formatCount(step)),
        values: layers.map((layer) => (column < 0 ? NaN : reading.at(layer, column).value)),
      },
      { title: text('columnLargest'), values: largest.map((cell) => cell?.value ?? NaN) },
      { title: text('columnLargestStep'), values: largest.map((cell) => cell?.step ?? NaN) },
      ...floors,
    ],
  };
}

/** A row a layer and a column a step, or several steps drawn as one. */
export function heatValues(reading: HeatReading): ChartTable {
  const layers = Array.from({ length: reading.floors.length }, (_, layer) => layer);
  const stepTitle = (column: number) => {
    const [from = 0, to = 0] = [reading.steps[column], reading.ends[column]];
    return from === to ? text('step', from) : text('alertSpell', from, to);
  };
  return {
    columns: [
      { title: text('columnLayer'), values: layers.map((layer) => reading.name(layer)) },
      ...Array.from({ length: reading.columns }, (_, column) => ({
        title: stepTitle(column),
        values: Float32Array.from(layers, (layer) => reading.at(layer, column).value),
      })),
    ],
  };
}
