import { toCss, type Rgb } from '../theme/colour';
import type { Palette } from '../theme/palette';
import type { Range } from './axes';
import type { Surface } from './canvas';
import { heatColours } from './heatMapImage';
import { BEYOND, NEUTRAL, RAMP_END, RAMP_START, type HeatScale } from './heatMapScale';

/** What the colours are called; empty where there is no such colour. */
export interface LegendWords {
  /** The figure's own, with its unit. */
  readonly figure: string;
  readonly low: string;
  readonly high: string;
  readonly beyond: string;
  readonly neutral: string;
  readonly notMeasured: string;
}

const HEIGHT = 10;
const SWATCH = 14;
const GAP = 5;
const APART = 16;
const RAMP_WIDTH = 120;

/** The ramp between its limits, and the colours beside it, as far as they fit. */
export function drawLegend(
  { context }: Surface,
  palette: Palette,
  scale: HeatScale | undefined,
  words: LegendWords,
  [left, right]: Range,
  top: number,
): void {
  const colours = heatColours(palette);
  const measure = (text: string) => context.measureText(text).width;
  let x = left;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const middle = top + HEIGHT / 2;
  const say = (text: string, colour: Rgb) => {
    context.fillStyle = toCss(colour);
    context.fillText(text, x, middle);
    x += measure(text);
  };
  if (scale) {
    say(words.figure, palette.foreground);
    x += GAP * 2;
    say(words.low, palette.dim);
    x += GAP;
    for (let i = 0; i < RAMP_WIDTH; i++) {
      const index = RAMP_START + Math.round((i / (RAMP_WIDTH - 1)) * (RAMP_END - RAMP_START));
      context.fillStyle = toCss(colours[index] as Rgb);
      context.fillRect(x + i, top, 1, HEIGHT);
    }
    x += RAMP_WIDTH + GAP;
    say(words.high, palette.dim);
  }
  const swatch = (word: string, fill: (at: number) => void) => {
    if (word === '' || x + APART + SWATCH + GAP + measure(word) > right) return;
    x += x > left ? APART : 0;
    fill(x);
    context.lineWidth = 1;
    context.strokeStyle = toCss(palette.dim, 0.6);
    context.strokeRect(x + 0.5, top + 0.5, SWATCH - 1, HEIGHT - 1);
    x += SWATCH + GAP;
    say(word, palette.dim);
  };
  const plain = (index: number) => (at: number) => {
    context.fillStyle = toCss(colours[index] as Rgb);
    context.fillRect(at, top, SWATCH, HEIGHT);
  };
  if (scale && scale.largest > scale.high) swatch(words.beyond, plain(BEYOND));
  swatch(words.neutral, plain(NEUTRAL));
  swatch(words.notMeasured, (at) => hatchSwatch({ context }, palette, at, top));
}

function hatchSwatch(
  { context }: Pick<Surface, 'context'>,
  palette: Palette,
  x: number,
  top: number,
): void {
  context.strokeStyle = toCss(palette.dim, 0.6);
  context.lineWidth = 1;
  context.beginPath();
  for (let at = 0; at <= SWATCH - 4; at += 5) {
    context.moveTo(x + at, top + HEIGHT);
    context.lineTo(x + Math.min(SWATCH, at + HEIGHT), top + Math.max(0, at + HEIGHT - SWATCH));
  }
  context.stroke();
}
