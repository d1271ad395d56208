import { interpolateMagma } from 'd3-scale-chromatic';
import type { Numbers } from '../state/viewData';
import { mix, parseColour, type Rgb } from '../theme/colour';
import type { Palette } from '../theme/palette';
import {
  BEYOND,
  colourIndex,
  NEUTRAL,
  NOT_MEASURED,
  placing,
  RAMP_END,
  RAMP_START,
  type HeatScale,
} from './heatMapScale';
import { columnsOfPixels } from './heatMapGeometry';
import { APART_FROM, ROW_GAP, rowSpan, type ModelRow, type RowLayout } from './modelRows';

/** Colours by index; nothing is drawn for what is not measured. */
export type HeatColours = readonly Rgb[];

const DARK_GROUND = 382;

/** Share of the ramp over which it leaves the neutral colour: what is next to nothing stays quiet. */
const FADE = 0.14;

/** Made once for each palette: several drawings need them. */
const made = new WeakMap<Palette, HeatColours>();

/** Colours of the cells in this theme; see {@link makeColours}. */
export function heatColours(palette: Palette): HeatColours {
  const known = made.get(palette) ?? makeColours(palette);
  made.set(palette, known);
  return known;
}

/**
 * Magma (perceptually uniform): what is large stands out from the ground, on a dark ground bright,
 * on a light one dark. What lies beyond the scale has a hue that the ramp has not.
 */
function makeColours({ background, foreground }: Palette): HeatColours {
  const dark = background[0] + background[1] + background[2] < DARK_GROUND;
  const neutral = mix(background, foreground, dark ? 0.13 : 0.08);
  const ramp = (share: number): Rgb => {
    const place = dark ? 0.2 + 0.78 * share : 0.96 - 0.8 * share;
    const colour = parseColour(interpolateMagma(place)) ?? foreground;
    return mix(neutral, colour, Math.min(1, 0.15 + share / FADE));
  };
  const colours: Rgb[] = [];
  colours[NOT_MEASURED] = background;
  colours[NEUTRAL] = neutral;
  for (let i = RAMP_START; i <= RAMP_END; i++) {
    colours[i] = ramp((i - RAMP_START) / (RAMP_END - RAMP_START));
  }
  colours[BEYOND] = dark ? [64, 224, 208] : [0, 121, 107];
  return colours;
}

/**
 * Colour of every cell, [layers · columns].
 * @param floors - by layer; at or below it a value is what sampling alone makes
 */
export function cellColours(
  values: Numbers,
  floors: Numbers,
  columns: number,
  scale: HeatScale,
): Uint8Array {
  const cells = new Uint8Array(values.length);
  const place = placing(scale);
  for (let from = 0, layer = 0; from < values.length; from += columns, layer++) {
    const floor = floors[layer] ?? NaN;
    const end = Math.min(values.length, from + columns);
    for (let i = from; i < end; i++) cells[i] = colourIndex(values[i] as number, floor, place);
  }
  return cells;
}

/** The index that stands for several: the furthest out. */
function raise(target: Uint8Array, at: number, index: number): void {
  if (index > (target[at] as number)) target[at] = index;
}

/** Lines of pixels in the image of a map: one a row where rows lie close together, else one a CSS pixel. */
const lineCount = ({ rowHeight, height }: RowLayout, rows: number): number =>
  Math.max(1, rowHeight >= APART_FROM || rowHeight < 1 ? Math.round(height) : rows);

/** Colour indices of each line of pixels, [lines · width]: a line between rows stays empty. */
export function lineColours(
  cells: Uint8Array,
  rows: readonly ModelRow[],
  layout: RowLayout,
  edges: Float64Array,
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array {
  const lines = new Uint8Array(width * height);
  const columns = edges.length - 1;
  const pairs = columnsOfPixels(edges, width);
  const gap = layout.rowHeight >= APART_FROM ? ROW_GAP : 0;
  const perPixel = height / Math.max(1, layout.height);
  const worst = new Uint8Array(columns);
  rows.forEach(({ layers }, row) => {
    worst.fill(NOT_MEASURED);
    for (const layer of layers) {
      for (let i = 0; i < columns; i++) raise(worst, i, cells[layer * columns + i] as number);
    }
    const [top, bottom] = rowSpan(layout, row);
    const first = Math.min(height - 1, Math.floor(top * perPixel + 1e-6));
    const from = first * width;
    // Rows lower than a line of pixels share it, and columns narrower than a pixel share that.
    for (let pixel = 0; pixel < width; pixel++) {
      const last = pairs[2 * pixel + 1] as number;
      for (let i = pairs[2 * pixel] as number; i <= last; i++) {
        raise(lines, from + pixel, worst[i] as number);
      }
    }
    const end = Math.floor((bottom - gap) * perPixel + 1e-6);
    for (let y = first + 1; y < end; y++) lines.copyWithin(y * width, from, from + width);
  });
  return lines;
}

/**
 * The map as an image of `width` pixels across, to be stretched over the rows. Where several columns
 * or layers share a pixel, the furthest out of them has it.
 * @param cells - [layers · columns], by `cellColours`
 */
export function heatImage(
  cells: Uint8Array,
  rows: readonly ModelRow[],
  layout: RowLayout,
  edges: Float64Array,
  width: number,
  colours: HeatColours,
): ImageData {
  const image = new ImageData(Math.max(1, width), lineCount(layout, rows.length));
  const packed = Uint32Array.from(colours, ([red, green, blue], i) =>
    i === NOT_MEASURED ? 0 : ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0,
  );
  const pixels = new Uint32Array(image.data.buffer);
  const lines = lineColours(cells, rows, layout, edges, image);
  for (let i = 0; i < pixels.length; i++) pixels[i] = packed[lines[i] as number] as number;
  return image;
}
