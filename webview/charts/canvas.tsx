import { useLayoutEffect, useRef } from 'preact/hooks';
import { palette, type Palette } from '../theme/palette';
import { useSight, type Sight } from './sight';

/** What charts draw with: a canvas understands it, and so does the writer of SVG. */
export type Context2d = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'quadraticCurveTo'
  | 'rect'
  | 'arc'
  | 'closePath'
  | 'fill'
  | 'stroke'
  | 'clip'
  | 'fillRect'
  | 'strokeRect'
  | 'fillText'
  | 'measureText'
  | 'setLineDash'
  | 'save'
  | 'restore'
  | 'translate'
  | 'lineWidth'
  | 'lineCap'
  | 'lineJoin'
  | 'globalAlpha'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'imageSmoothingEnabled'
> & {
  fillStyle: string;
  strokeStyle: string;
  /** Image data goes through a canvas of its own: unlike `putImageData` this scales and moves with the drawing. */
  drawImage(image: HTMLCanvasElement, x: number, y: number, width: number, height: number): void;
};

/** A canvas scaled to device pixels: draw in CSS pixels. */
export interface Surface {
  readonly context: Context2d;
  readonly width: number;
  readonly height: number;
}

export type Draw = (surface: Surface, palette: Palette) => void;

function paint(canvas: HTMLCanvasElement, { width, height }: Sight, draw: Draw): void {
  const context = canvas.getContext('2d');
  if (!context || width === 0 || height === 0) return;
  const ratio = window.devicePixelRatio;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `11px ${palette.value.font}`;
  draw({ context: context as Context2d, width, height }, palette.value);
}

interface CanvasProps {
  readonly draw: Draw;
  readonly onPointer?: ((x: number | null, width: number) => void) | undefined;
}

/**
 * Draws once a render while it is in sight, and again when it comes into sight, and when its size or
 * the theme changes. Fills its parent.
 */
export function Canvas({ draw, onPointer }: CanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const sight = useSight(ref);
  void palette.value;
  useLayoutEffect(() => {
    if (ref.current && sight.near) paint(ref.current, sight, draw);
  });
  return (
    <canvas
      ref={ref}
      aria-hidden="true"
      onPointerMove={
        onPointer && ((event) => onPointer(event.offsetX, event.currentTarget.clientWidth))
      }
      onPointerLeave={onPointer && ((event) => onPointer(null, event.currentTarget.clientWidth))}
    />
  );
}
