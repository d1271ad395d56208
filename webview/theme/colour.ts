/** Red, green, blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

let kept: CanvasRenderingContext2D | null | undefined;

/** One pixel that colours are tried out on. */
const probeContext = () =>
  (kept ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true }));

/** A CSS colour laid over `background`; undefined for a text that is no colour. */
export function parseColour(css: string, background: Rgb = [0, 0, 0]): Rgb | undefined {
  const probe = probeContext();
  if (!probe || !CSS.supports('color', css)) return undefined;
  probe.canvas.width = 1;
  probe.fillStyle = toCss(background);
  probe.fillRect(0, 0, 1, 1);
  probe.fillStyle = css;
  probe.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = probe.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

export function toCss([red, green, blue]: Rgb, alpha = 1): string {
  return `rgb(${red} ${green} ${blue} / ${alpha})`;
}

/** Relative luminance of WCAG 2. */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return from.map((channel, i) => Math.round(channel + ((to[i] ?? 0) - channel) * share)) as [
    number,
    number,
    number,
  ];
}

/** `colour`, moved towards black or white just as far as it needs to stand out from `background`. */
export function readable(colour: Rgb, background: Rgb, ratio: number): Rgb {
  const away: Rgb = luminance(background) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mix(colour, away, share);
    if (contrast(candidate, background) >= ratio) return candidate;
  }
  return away;
}
