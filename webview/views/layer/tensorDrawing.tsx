import type { LayerInfo } from '../../../extension/protocol/layers';
import { formatCount } from '../../format';
import { text } from '../../strings';
import { boxPaths, type BoxSize } from './boxPaths';
import { axisLetters, boxOf, type Edge } from './tensorGeometry';

const SIZE: BoxSize = { left: 92, top: 4, width: 96, height: 54, shiftX: 30, shiftY: 20 };

/** `H·W 32 × 32` */
const labelOf = ({ axes, sizes }: Edge, letters: readonly string[]): string =>
  `${axes.map((axis) => letters[axis]).join('·')} ${sizes.map(formatCount).join(' × ')}`;

/** One sentence: for what there is one mean and variance, over which axes, of how many values. */
function words(info: LayerInfo, letters: readonly string[]): string {
  const { inputShape, normalizedAxes, family } = info;
  const over = normalizedAxes.map((axis) => letters[axis]).join(', ');
  const each = letters.filter((_, axis) => !normalizedAxes.includes(axis)).join(', ');
  const values = normalizedAxes.reduce((product, axis) => product * (inputShape[axis] ?? 1), 1);
  if (family === 'rms') return text('normalizedRms', each, over, formatCount(values));
  if (family === 'group') return text('normalizedGroup', each, over);
  if (each === '') return text('normalizedAll', over, formatCount(values));
  return text('normalizedEach', each, over, formatCount(values));
}

/** The layer's input as a box, with what one mean and variance is taken over marked. */
export function TensorDrawing({ info }: { readonly info: LayerInfo }) {
  const box = boxOf(info);
  if (!box || info.normalizedAxes.length === 0) return null;
  const letters = axisLetters(info);
  const { width, height, depth } = box;
  const { covered, grid, outline } = boxPaths(box, SIZE);
  const [right, bottom] = [SIZE.left + SIZE.width, SIZE.top + SIZE.shiftY + SIZE.height];
  const tone = (edge: Edge) => (edge.covered === 'one' ? undefined : 'normalized');
  const sentence = words(info, letters);
  return (
    <div class="tensor">
      <svg
        width={right + (depth ? SIZE.shiftX + 58 : 4)}
        height={bottom + 17}
        role="img"
        aria-label={text('normalizedSentence', info.inputShape.join(' × '), sentence)}
      >
        <path class="covered" d={covered} />
        <path class="grid" d={grid} />
        <path class="edges" d={outline} />
        <text
          class={tone(width)}
          x={SIZE.left + SIZE.width / 2}
          y={bottom + 13}
          text-anchor="middle"
        >
          {labelOf(width, letters)}
        </text>
        {height && (
          <text
            class={tone(height)}
            x={SIZE.left - 7}
            y={SIZE.top + SIZE.shiftY + SIZE.height / 2 + 4}
            text-anchor="end"
          >
            {labelOf(height, letters)}
          </text>
        )}
        {depth && (
          <text class={tone(depth)} x={right + SIZE.shiftX / 2 + 8} y={bottom - 2}>
            {labelOf(depth, letters)}
          </text>
        )}
      </svg>
      <p aria-hidden="true">{sentence}</p>
    </div>
  );
}
