import { signal, type ReadonlySignal } from '@preact/signals';
import { mix, parseColour, readable, toCss, type Rgb } from './colour';

/** Colours and fonts that canvases draw with, from the theme in force. */
export interface Palette {
  readonly background: Rgb;
  readonly foreground: Rgb;
  readonly dim: Rgb;
  readonly line: Rgb;
  readonly before: Rgb;
  readonly after: Rgb;
  /** The same two, dark or light enough for text. */
  readonly beforeText: Rgb;
  readonly afterText: Rgb;
  /** What one mean and variance is taken over. */
  readonly mark: Rgb;
  /** Severities of alerts. */
  readonly error: Rgb;
  readonly warning: Rgb;
  readonly info: Rgb;
  readonly font: string;
  readonly highContrast: boolean;
}

/** A text needs 4.5 to be readable (WCAG 1.4.3), a line 3 to be seen (1.4.11). */
const TEXT_RATIO = 4.6;
const LINE_RATIO = 3.2;

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string, fallback: Rgb, behind: Rgb): Rgb =>
    parseColour(style.getPropertyValue(`--vscode-${name}`).trim(), behind) ?? fallback;
  const { classList } = document.body;
  const highContrast =
    classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light');
  const light =
    classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');

  const background = token('editor-background', light ? [255, 255, 255] : [30, 30, 30], [0, 0, 0]);
  const side = token('sideBar-background', background, background);
  // The side bars are the harder ground: what reads there reads on the editor's ground as well.
  const ground = light ? darker(side, background) : lighter(side, background);
  const foreground = readable(token('foreground', [204, 204, 204], background), ground, 7);
  const dim = readable(mix(foreground, background, 0.33), ground, highContrast ? 7 : TEXT_RATIO);
  const before = token('charts-orange', [209, 134, 22], background);
  const after = token('charts-blue', [55, 148, 255], background);
  const mark = token('charts-purple', [177, 128, 215], background);
  return {
    background,
    foreground,
    dim,
    line: mix(background, foreground, highContrast ? 0.35 : 0.15),
    before: readable(before, ground, LINE_RATIO),
    after: readable(after, ground, LINE_RATIO),
    beforeText: readable(before, ground, TEXT_RATIO),
    afterText: readable(after, ground, TEXT_RATIO),
    mark: readable(mark, ground, TEXT_RATIO),
    error: readable(token('charts-red', [241, 76, 76], background), ground, LINE_RATIO),
    warning: readable(token('charts-yellow', [204, 167, 0], background), ground, LINE_RATIO),
    info: dim,
    font: style.getPropertyValue('--vscode-font-family').trim() || 'system-ui, sans-serif',
    highContrast,
  };
}

const sum = ([red, green, blue]: Rgb): number => red + green + blue;
const darker = (a: Rgb, b: Rgb): Rgb => (sum(a) < sum(b) ? a : b);
const lighter = (a: Rgb, b: Rgb): Rgb => (sum(a) > sum(b) ? a : b);

const PUBLISHED = [
  'foreground',
  'dim',
  'line',
  'before',
  'after',
  'mark',
  'error',
  'warning',
  'info',
] as const;

function publish(palette: Palette): void {
  const { style } = document.documentElement;
  for (const name of PUBLISHED) {
    const value = toCss(palette[name]);
    if (style.getPropertyValue(`--ns-${name}`) !== value) style.setProperty(`--ns-${name}`, value);
  }
}

const current = signal<Palette>(read());

/** The palette in force; changes with the theme. */
export const palette: ReadonlySignal<Palette> = current;

/** Follows the theme: VS Code changes the body's class and the root's style. */
export function watchTheme(): void {
  let waiting = false;
  const refresh = () => {
    waiting = false;
    const next = read();
    publish(next);
    if (JSON.stringify(next) !== JSON.stringify(current.peek())) current.value = next;
  };
  const observer = new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(refresh);
  });
  const options = { attributes: true, attributeFilter: ['class', 'style'] };
  observer.observe(document.body, options);
  observer.observe(document.documentElement, options);
  refresh();
}
