import { palette, type Palette } from '../../theme/palette';
import { toCss } from '../../theme/colour';
import type { Context2d, Draw } from '../canvas';
import { SvgContext } from './svgContext';

/** A chart as it leaves the panel: with its title and its figures, on the theme's ground. */
export interface Poster {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly draw: Draw;
  /** Size of the chart alone, in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

const MARGIN = 12;
const TITLE_HEIGHT = 18;
const CAPTION_HEIGHT = 15;
const CAPTION_GAP = 8;
/** Pixels of a PNG for one CSS pixel: sharp on paper and on dense screens. */
const PNG_SCALE = 2;

/** Words in lines of at most `width`. */
function wrapped(context: Context2d, words: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length === 0 || context.measureText(longer).width > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

interface Laid {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly captions: readonly string[];
}

const titleFont = ({ font }: Palette) => `600 13px ${font}`;
const captionFont = ({ font }: Palette) => `12px ${font}`;

function layOut(context: Context2d, poster: Poster, colours: Palette): Laid {
  context.font = captionFont(colours);
  const captions = poster.caption === '' ? [] : wrapped(context, poster.caption, poster.width);
  const top = MARGIN + TITLE_HEIGHT + captions.length * CAPTION_HEIGHT + CAPTION_GAP;
  return {
    captions,
    top,
    width: poster.width + 2 * MARGIN,
    height: top + poster.height + MARGIN,
  };
}

function drawPoster(context: Context2d, poster: Poster, colours: Palette, laid: Laid): void {
  context.fillStyle = toCss(colours.background);
  context.fillRect(0, 0, laid.width, laid.height);
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillStyle = toCss(colours.foreground);
  context.font = titleFont(colours);
  context.fillText(poster.title, MARGIN, MARGIN);
  context.fillStyle = toCss(colours.dim);
  context.font = captionFont(colours);
  laid.captions.forEach((line, i) =>
    context.fillText(line, MARGIN, MARGIN + TITLE_HEIGHT + i * CAPTION_HEIGHT),
  );
  context.save();
  context.translate(MARGIN, laid.top);
  context.font = `11px ${colours.font}`;
  poster.draw({ context, width: poster.width, height: poster.height }, colours);
  context.restore();
}

function canvasContext(): CanvasRenderingContext2D {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('There is no canvas to draw on.');
  return context;
}

/** The poster as an SVG document. */
export function toSvg(poster: Poster): string {
  const ruler = canvasContext();
  const context = new SvgContext(poster.id, (text, font) => {
    ruler.font = font;
    return ruler.measureText(text);
  });
  const colours = palette.peek();
  const laid = layOut(context, poster, colours);
  drawPoster(context, poster, colours, laid);
  return context.svg(laid.width, laid.height, `${poster.title}. ${poster.caption}`);
}

/** The poster as a PNG. */
export async function toPng(poster: Poster): Promise<Blob> {
  const context = canvasContext();
  const colours = palette.peek();
  const laid = layOut(context as Context2d, poster, colours);
  const { canvas } = context;
  canvas.width = laid.width * PNG_SCALE;
  canvas.height = laid.height * PNG_SCALE;
  context.scale(PNG_SCALE, PNG_SCALE);
  drawPoster(context as Context2d, poster, colours, laid);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No PNG came out.')))),
  );
}
