import type { LayerInfo } from '../../extension/protocol/layers';
import { formatCount } from '../format';
import { text } from '../strings';
import { boxOf, type Edge } from './tensorGeometry';

const LEFT = 84;
const TOP = 4;
const WIDTH = 92;
const HEIGHT = 36;
/** How far the back face is moved from the front face. */
const SHIFT = { x: 17, y: 11 };
/** The part of an edge that one mean and variance covers where it does not cover all of it. */
const SLICE = { from: 0.4, to: 0.6 };

function labelOf(edge: Edge): string {
  const size = formatCount(edge.size);
  if (edge.feature) return text('axisFeatures', size);
  if (edge.axes.length === 1 && edge.axes[0] === 0) return text('axisBatch', size);
  return text('axisOther', edge.axes.join('·'), size);
}

const covered = (edge: Edge | null) => (!edge || edge.normalized ? { from: 0, to: 1 } : SLICE);

type Point = readonly [x: number, y: number];

const polygon = (...points: readonly Point[]): string =>
  `M${points.map((point) => point.join(' ')).join('L')}Z`;

/** The parts of the visible faces that share one mean and variance. */
function coveredFaces(width: Edge, height: Edge | null, depth: Edge | null): string {
  const across = covered(width);
  const down = covered(height);
  const x = (share: number) => LEFT + share * WIDTH;
  const y = (share: number) => TOP + SHIFT.y + share * HEIGHT;
  const [x0, x1, y0, y1] = [x(across.from), x(across.to), y(down.from), y(down.to)];
  const back = depth?.normalized ? 1 : 0.3;
  const [dx, dy] = depth ? [SHIFT.x * back, SHIFT.y * back] : [0, 0];
  let faces = polygon([x0, y0], [x1, y0], [x1, y1], [x0, y1]);
  if (depth && down.from === 0) {
    faces += polygon([x0, y0], [x1, y0], [x1 + dx, y0 - dy], [x0 + dx, y0 - dy]);
  }
  if (depth && across.to === 1) {
    faces += polygon([x1, y0], [x1 + dx, y0 - dy], [x1 + dx, y1 - dy], [x1, y1]);
  }
  return faces;
}

/** The layer's input as a box, with what one mean and variance is taken over marked. */
export function TensorDrawing({ info }: { readonly info: LayerInfo }) {
  const box = boxOf(info);
  if (!box) return null;
  const { width, height, depth } = box;
  const [right, bottom] = [LEFT + WIDTH, TOP + SHIFT.y + HEIGHT];
  const top = TOP + SHIFT.y;
  const tone = (edge: Edge) => (edge.normalized ? 'normalized' : undefined);
  return (
    <svg
      class="tensor"
      width={LEFT + WIDTH + (depth ? SHIFT.x + 74 : 2)}
      height={bottom + 18}
      role="img"
      aria-label={text(
        'normalizedSentence',
        info.inputShape.join(' × '),
        info.normalizedAxes.join(', '),
      )}
    >
      <path class="covered" d={coveredFaces(width, height, depth)} />
      <path class="edges" d={`M${LEFT} ${top}H${right}V${bottom}H${LEFT}Z`} />
      {depth && (
        <path
          class="edges"
          d={
            `M${LEFT} ${top}l${SHIFT.x} ${-SHIFT.y}h${WIDTH}l${-SHIFT.x} ${SHIFT.y}` +
            `m${SHIFT.x} ${-SHIFT.y}v${HEIGHT}l${-SHIFT.x} ${SHIFT.y}`
          }
        />
      )}
      <text class={tone(width)} x={LEFT + WIDTH / 2} y={bottom + 13} text-anchor="middle">
        {labelOf(width)}
      </text>
      {height && (
        <text class={tone(height)} x={LEFT - 7} y={top + HEIGHT / 2 + 4} text-anchor="end">
          {labelOf(height)}
        </text>
      )}
      {depth && (
        <text class={tone(depth)} x={right + 14} y={bottom + 6}>
          {labelOf(depth)}
        </text>
      )}
    </svg>
  );
}
