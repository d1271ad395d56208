import { bisectRight } from 'd3-array';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { Numbers } from '../state/viewData';
import { widened, type Range } from './axes';

/**
 * Where columns meet: halfway between the last step of one and the first of the next, so that a
 * step stands in the middle of what is drawn for it. One more than there are columns.
 */
export function columnEdges(steps: Numbers, ends: Numbers): Float64Array {
  const count = steps.length;
  if (count === 0) return new Float64Array(0);
  const edges = new Float64Array(count + 1);
  for (let i = 1; i < count; i++) {
    edges[i] = ((ends[i - 1] as number) + (steps[i] as number)) / 2;
  }
  const [first, last] = [steps[0] as number, ends[count - 1] as number];
  // The outer ones reach as far beyond their step as the inner ones do.
  edges[0] = first - (count > 1 ? (edges[1] as number) - (ends[0] as number) : 0.5);
  edges[count] =
    last + (count > 1 ? (steps[count - 1] as number) - (edges[count - 1] as number) : 0.5);
  return edges;
}

/** Steps on the plot area. */
export const stepScale = (edges: Float64Array, plot: Range): ScaleLinear<number, number> =>
  scaleLinear(widened([edges[0] ?? NaN, edges[edges.length - 1] ?? NaN]), [plot[0], plot[1]]);

/** The column that holds a step; −1 outside of all. */
export function columnAt(edges: Float64Array, step: number): number {
  const at = bisectRight(edges, step) - 1;
  return at >= 0 && at < edges.length - 1 ? at : -1;
}

/**
 * First and last column under each of `pixels` equal parts of the plot, as pairs: where several fall
 * on one, none is left out.
 */
export function columnsOfPixels(edges: Float64Array, pixels: number): Int32Array {
  const pairs = new Int32Array(2 * pixels);
  const count = edges.length - 1;
  const [first = 0, last = 1] = [edges[0], edges[count]];
  let at = 0;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const from = first + ((last - first) * pixel) / pixels;
    const to = first + ((last - first) * (pixel + 1)) / pixels;
    while (at < count - 1 && (edges[at + 1] as number) <= from) at++;
    let end = at;
    while (end < count - 1 && (edges[end + 1] as number) < to) end++;
    pairs[2 * pixel] = at;
    pairs[2 * pixel + 1] = end;
  }
  return pairs;
}
