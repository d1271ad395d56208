import type { Numbers } from '../state/viewData';

const WIDTH = 56;
const HEIGHT = 18;

interface SparklineProps {
  readonly values: Numbers;
  /** The value that reaches the top; the same for all sparklines of a list. */
  readonly top: number;
}

/** A small curve over steps. */
export function Sparkline({ values, top }: SparklineProps) {
  let path = '';
  let pen = 'M';
  values.forEach((value: number, i: number) => {
    if (!Number.isFinite(value)) {
      pen = 'M';
      return;
    }
    const x = (i / Math.max(1, values.length - 1)) * (WIDTH - 2) + 1;
    const share = top > 0 ? Math.min(1, Math.max(0, value) / top) : 0;
    path += `${pen}${x.toFixed(1)} ${(HEIGHT - 2 - share * (HEIGHT - 4)).toFixed(1)}`;
    pen = 'L';
  });
  return (
    <svg class="sparkline" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
