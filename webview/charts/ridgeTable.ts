import { text } from '../strings';
import { formatCount } from '../format';
import type { ChartTable } from './chartTable';
import type { Ridges } from './ridgeline';

/** The middle of each cell of a density over a range. */
export function cellMiddles(range: readonly [number, number], cells: number): Float64Array {
  const width = (range[1] - range[0]) / cells;
  return Float64Array.from({ length: cells }, (_, i) => range[0] + (i + 0.5) * width);
}

/** Densities by value, a column a step. */
export function ridgeTable({ range, steps, densities, selected, axis }: Ridges): ChartTable {
  const points = selected.length;
  return {
    columns: [
      { title: axis, values: cellMiddles(range, points) },
      ...Array.from(steps, (step, i) => ({
        title: text('columnDensityAt', formatCount(step)),
        values: densities.subarray(i * points, (i + 1) * points),
      })),
    ],
  };
}
