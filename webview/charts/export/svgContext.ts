import type { Context2d } from '../canvas';
import { escapeMarkup } from './markup';

type Attributes = Readonly<Record<string, string | number | undefined>>;

interface Style {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  lineCap: CanvasLineCap;
  lineJoin: CanvasLineJoin;
  globalAlpha: number;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  imageSmoothingEnabled: boolean;
}

const INITIAL: Style = {
  fillStyle: '#000',
  strokeStyle: '#000',
  lineWidth: 1,
  lineCap: 'butt',
  lineJoin: 'miter',
  globalAlpha: 1,
  font: '10px sans-serif',
  textAlign: 'start',
  textBaseline: 'alphabetic',
  imageSmoothingEnabled: true,
};

const ANCHORS: Readonly<Record<CanvasTextAlign, string>> = {
  left: 'start',
  start: 'start',
  center: 'middle',
  right: 'end',
  end: 'end',
};

const BASELINES: Readonly<Record<CanvasTextBaseline, string>> = {
  alphabetic: 'alphabetic',
  ideographic: 'ideographic',
  hanging: 'hanging',
  top: 'text-before-edge',
  middle: 'central',
  bottom: 'text-after-edge',
};

const COLOUR = /^rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)\)$/;

/** Fill or stroke as attributes that programs other than browsers read as well. */
function paint(kind: 'fill' | 'stroke', css: string, alpha: number): Attributes {
  const [, red = 0, green = 0, blue = 0, share = 1] = COLOUR.exec(css) ?? [];
  const known = COLOUR.test(css);
  const opacity = Number(share) * alpha;
  return {
    [kind]: known ? `rgb(${red},${green},${blue})` : css,
    [`${kind}-opacity`]: opacity === 1 ? undefined : Number(opacity.toFixed(3)),
  };
}

const short = (value: number): string => String(Number(value.toFixed(2)));

/**
 * Writes what is drawn on it as SVG. It knows what {@link Context2d} names and no more. No style
 * attribute is written: the panel's content security policy forbids them.
 */
export class SvgContext implements Context2d, Style {
  fillStyle = INITIAL.fillStyle;
  strokeStyle = INITIAL.strokeStyle;
  lineWidth = INITIAL.lineWidth;
  lineCap = INITIAL.lineCap;
  lineJoin = INITIAL.lineJoin;
  globalAlpha = INITIAL.globalAlpha;
  font = INITIAL.font;
  textAlign = INITIAL.textAlign;
  textBaseline = INITIAL.textBaseline;
  imageSmoothingEnabled = INITIAL.imageSmoothingEnabled;

  private readonly parts: string[] = [];
  private readonly saved: { style: Style; groups: number }[] = [];
  /** Groups that are open since the last `save`. */
  private groups = 0;
  private clips = 0;
  private path: string[] = [];
  private dash: readonly number[] = [];

  /**
   * @param ids - begins the ids that the drawing refers to; unlike that of any other in its document
   * @param measure - width of a text in a font
   */
  constructor(
    private readonly ids: string,
    private readonly measure: (text: string, font: string) => TextMetrics,
  ) {}

  /** The drawing so far as a document of this size, in CSS pixels. */
  svg(width: number, height: number, title: string): string {
    const open = this.saved.reduce((sum, { groups }) => sum + groups, this.groups);
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" role="img"><title>${escapeMarkup(title)}</title>` +
      `${this.parts.join('')}${'</g>'.repeat(open)}</svg>`
    );
  }

  beginPath(): void {
    this.path = [];
  }

  moveTo(x: number, y: number): void {
    this.path.push(`M${short(x)} ${short(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.path.push(`${this.path.length === 0 ? 'M' : 'L'}${short(x)} ${short(y)}`);
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.path.push(`Q${short(cx)} ${short(cy)} ${short(x)} ${short(y)}`);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.path.push(`M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}Z`);
  }

  arc(x: number, y: number, radius: number, start: number, end: number): void {
    const at = (angle: number) =>
      `${short(x + radius * Math.cos(angle))} ${short(y + radius * Math.sin(angle))}`;
    const sweep = Math.min(end - start, 2 * Math.PI);
    const r = short(radius);
    // One arc of SVG can not end where it began: halves.
    const middle = start + sweep / 2;
    this.path.push(
      `${this.path.length === 0 ? 'M' : 'L'}${at(start)}` +
        `A${r} ${r} 0 0 1 ${at(middle)}A${r} ${r} 0 0 1 ${at(start + sweep)}`,
    );
  }

  closePath(): void {
    this.path.push('Z');
  }

  fill(): void {
    this.write('path', {
      d: this.path.join(''),
      ...paint('fill', this.fillStyle, this.globalAlpha),
    });
  }

  stroke(): void {
    this.write('path', { d: this.path.join(''), fill: 'none', ...this.strokes() });
  }

  clip(): void {
    const id = `${this.ids}-${++this.clips}`;
    this.parts.push(
      `<clipPath id="${id}"><path d="${this.path.join('')}"/></clipPath>`,
      `<g clip-path="url(#${id})">`,
    );
    this.groups++;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const size = { x: short(x), y: short(y), width: short(width), height: short(height) };
    this.write('rect', { ...size, ...paint('fill', this.fillStyle, this.globalAlpha) });
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    const size = { x: short(x), y: short(y), width: short(width), height: short(height) };
    this.write('rect', { ...size, fill: 'none', ...this.strokes() });
  }

  fillText(text: string, x: number, y: number): void {
    const [, weight, size = '10', family = 'sans-serif'] =
      /^(\w+ )?([\d.]+)px (.+)$/.exec(this.font) ?? [];
    this.write(
      'text',
      {
        x: short(x),
        y: short(y),
        'font-size': size,
        'font-family': family,
        'font-weight': weight?.trim(),
        'text-anchor': ANCHORS[this.textAlign],
        'dominant-baseline': BASELINES[this.textBaseline],
        ...paint('fill', this.fillStyle, this.globalAlpha),
      },
      text,
    );
  }

  measureText(text: string): TextMetrics {
    return this.measure(text, this.font);
  }

  setLineDash(dash: readonly number[]): void {
    this.dash = [...dash];
  }

  drawImage(image: HTMLCanvasElement, x: number, y: number, width: number, height: number): void {
    this.write('image', {
      x: short(x),
      y: short(y),
      width: short(width),
      height: short(height),
      preserveAspectRatio: 'none',
      'image-rendering': this.imageSmoothingEnabled ? undefined : 'pixelated',
      opacity: this.globalAlpha === 1 ? undefined : this.globalAlpha,
      href: image.toDataURL(),
    });
  }

  save(): void {
    this.saved.push({ style: this.style(), groups: this.groups });
    this.groups = 0;
  }

  restore(): void {
    const former = this.saved.pop();
    if (!former) return;
    this.parts.push('</g>'.repeat(this.groups));
    this.groups = former.groups;
    Object.assign(this, former.style);
  }

  translate(x: number, y: number): void {
    this.parts.push(`<g transform="translate(${short(x)} ${short(y)})">`);
    this.groups++;
  }

  private style(): Style {
    const entries = (Object.keys(INITIAL) as (keyof Style)[]).map((key) => [key, this[key]]);
    return Object.fromEntries(entries) as Style;
  }

  private strokes(): Attributes {
    return {
      ...paint('stroke', this.strokeStyle, this.globalAlpha),
      'stroke-width': this.lineWidth,
      'stroke-linecap': this.lineCap === 'butt' ? undefined : this.lineCap,
      'stroke-linejoin': this.lineJoin === 'miter' ? undefined : this.lineJoin,
      'stroke-dasharray': this.dash.length === 0 ? undefined : this.dash.join(' '),
    };
  }

  private write(name: string, attributes: Attributes, text?: string): void {
    const written = Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`)
      .join('');
    this.parts.push(
      `<${name}${written}${text === undefined ? '/>' : `>${escapeMarkup(text)}</${name}>`}`,
    );
  }
}
