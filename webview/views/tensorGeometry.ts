import type { LayerInfo } from '../../extension/protocol/layers';

/** Neighbouring axes of a tensor that are drawn as one edge of a box. */
export interface Edge {
  readonly axes: readonly number[];
  readonly size: number;
  readonly normalized: boolean;
  readonly feature: boolean;
}

/** Edges of the box: of a matrix there is no depth, of a vector only the width. */
export interface Box {
  readonly depth: Edge | null;
  readonly height: Edge | null;
  readonly width: Edge;
}

const MOST_EDGES = 3;

function joined(a: Edge, b: Edge): Edge {
  return {
    axes: [...a.axes, ...b.axes],
    size: a.size * b.size,
    normalized: a.normalized && b.normalized,
    feature: a.feature || b.feature,
  };
}

/** The pair to draw as one edge: alike in role, from the back; the batch axis stays alone. */
function pairToJoin(edges: readonly Edge[]): number {
  for (let i = edges.length - 2; i > 0; i--) {
    const [a, b] = [edges[i], edges[i + 1]];
    if (a && b && a.normalized === b.normalized && a.feature === b.feature) return i;
  }
  return edges.length - 2;
}

/** The box that stands for a layer's input; null before a shape is known. */
export function boxOf({ inputShape, normalizedAxes, featureAxes }: LayerInfo): Box | null {
  let edges: Edge[] = inputShape.map((size, axis) => ({
    axes: [axis],
    size,
    normalized: normalizedAxes.includes(axis),
    feature: featureAxes.includes(axis),
  }));
  while (edges.length > MOST_EDGES) {
    const at = pairToJoin(edges);
    const [a, b] = [edges[at], edges[at + 1]];
    if (!a || !b) break;
    edges = [...edges.slice(0, at), joined(a, b), ...edges.slice(at + 2)];
  }
  const [width, height, depth] = [...edges].reverse();
  return width ? { width, height: height ?? null, depth: depth ?? null } : null;
}
