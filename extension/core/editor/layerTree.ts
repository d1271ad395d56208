import type { LayerTrack } from '../runStore/layerTrack';

/** Deeper parts of a name stay together. */
const MAX_DEPTH = 24;
/** Most entries of one module that are shown. */
const MAX_CHILDREN = 500;

export interface ModuleNode {
  readonly kind: 'module';
  /** Qualified name; unlike that of every other module. */
  readonly path: string;
  readonly label: string;
  readonly parent: ModuleNode | undefined;
  readonly children: TreeNode[];
  /** Of all layers below it. */
  readonly layers: LayerTrack[];
}

export interface LayerNode {
  readonly kind: 'layer';
  readonly label: string;
  readonly parent: ModuleNode | undefined;
  readonly track: LayerTrack;
}

/** Says that there is more than is shown. */
export interface MoreNode {
  readonly kind: 'more';
  readonly path: string;
  readonly parent: ModuleNode | undefined;
  readonly count: number;
}

export type TreeNode = ModuleNode | LayerNode | MoreNode;

interface Building {
  readonly path: string;
  readonly modules: Map<string, Building>;
  /** In model order, modules and layers mixed. */
  readonly entries: (Building | { readonly label: string; readonly track: LayerTrack })[];
}

const building = (path: string): Building => ({ path, modules: new Map(), entries: [] });

function partsOf(name: string): readonly string[] {
  const parts = name.split('.');
  if (parts.length <= MAX_DEPTH) return parts;
  return [...parts.slice(0, MAX_DEPTH - 1), parts.slice(MAX_DEPTH - 1).join('.')];
}

function add(root: Building, track: LayerTrack): void {
  const { name, className, call } = track.info;
  const parts = name === '' ? [className] : partsOf(name);
  let at = root;
  for (const part of parts.slice(0, -1)) {
    let next = at.modules.get(part);
    if (!next) {
      next = building(at.path === '' ? part : `${at.path}.${part}`);
      at.modules.set(part, next);
      at.entries.push(next);
    }
    at = next;
  }
  const label = parts.at(-1) ?? className;
  at.entries.push({ label: call > 0 ? `${label} (${call + 1})` : label, track });
}

const isModule = (entry: Building['entries'][number]): entry is Building => 'modules' in entry;

/** A module whose only entry is a module is shown in one row with it. */
function collapsed(module: Building): Building {
  const [only, ...others] = module.entries;
  return only && others.length === 0 && isModule(only) ? collapsed(only) : module;
}

function nodesOf(module: Building, parent: ModuleNode | undefined): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (const entry of module.entries.slice(0, MAX_CHILDREN)) {
    if (!isModule(entry)) {
      nodes.push({ kind: 'layer', parent, ...entry });
      continue;
    }
    const inner = collapsed(entry);
    const label = module.path === '' ? inner.path : inner.path.slice(module.path.length + 1);
    const node: ModuleNode = {
      kind: 'module',
      path: inner.path,
      label,
      parent,
      children: [],
      layers: [],
    };
    node.children.push(...nodesOf(inner, node));
    for (const child of node.children) {
      if (child.kind === 'module') node.layers.push(...child.layers);
      if (child.kind === 'layer') node.layers.push(child.track);
    }
    nodes.push(node);
  }
  const count = module.entries.length - MAX_CHILDREN;
  if (count > 0) nodes.push({ kind: 'more', path: module.path, parent, count });
  return nodes;
}

/** The layers of a model by the modules they are in, in model order. */
export function layerTree(tracks: readonly LayerTrack[]): readonly TreeNode[] {
  const root = building('');
  for (const track of tracks) add(root, track);
  return nodesOf(root, undefined);
}

/** Every layer of a tree, from top to bottom. */
export function* layerNodes(nodes: readonly TreeNode[]): Generator<LayerNode> {
  for (const node of nodes) {
    if (node.kind === 'layer') yield node;
    if (node.kind === 'module') yield* layerNodes(node.children);
  }
}
