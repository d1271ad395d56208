import type { ExtraClass } from '../../protocol/environment';
import type { Family } from '../../protocol/layers';
import { fitsPattern } from '../../protocol/patterns';
import { isObject, type NormLayer } from './tfjs';

/** What a norm layer is, told from its class and configuration. */
export interface NormKind {
  readonly className: string;
  readonly family: Family;
  /** Null where the layer's own `axis` tells, or the last one is taken. */
  readonly featureAxis: number | null;
}

const FAMILY_NAMES: readonly (readonly [RegExp, Family])[] = [
  [/batch_?norm/i, 'batch'],
  [/layer_?norm/i, 'layer'],
  [/rms_?norm/i, 'rms'],
  [/group_?norm/i, 'group'],
  [/instance_?norm/i, 'instance'],
  [/norm(ali[sz]ation)?(layer)?(\d+d?)?$/i, 'other'],
];

function familyOf(name: string): Family | undefined {
  return FAMILY_NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

/** Names of an object's classes, its own first: the registered name, then the constructor's. */
function* classNames(layer: object): Generator<string> {
  for (let type: unknown = layer.constructor; typeof type === 'function';) {
    const registered: unknown = Reflect.get(type, 'className');
    if (typeof registered === 'string') yield registered;
    if (type.name) yield type.name;
    const parent: unknown = Object.getPrototypeOf(type.prototype);
    type = isObject(parent) ? parent.constructor : undefined;
  }
}

/**
 * Whether an object is a norm layer: it or a class it extends has a name that says so, or that is
 * among the extra classes, which have the last word on family and feature axis.
 */
export function normKind(layer: object, extraClasses: readonly ExtraClass[]): NormKind | null {
  const names = [...classNames(layer)];
  const [own] = names;
  if (own === undefined) return null;
  // A subclass keeps its parent's registered name unless it gives itself one.
  const className = layer.constructor.name.length > 2 ? layer.constructor.name : own;
  const extra = extraClasses.find(({ pattern }) =>
    names.some((name) => fitsPattern(name.toLowerCase(), pattern.toLowerCase())),
  );
  const named = names.map(familyOf).find((family) => family !== undefined);
  const family = extra?.family ?? named ?? (extra ? 'other' : undefined);
  return family ? { className, family, featureAxis: extra?.featureAxis ?? null } : null;
}

/** Feature axes of an input of the given rank, counted from 0; null where the axis is out of range. */
export function featureAxes(
  layer: NormLayer,
  rank: number,
  chosen: number | null = null,
): number[] | null {
  const axis: unknown = chosen ?? layer.axis;
  const wanted: unknown[] = Array.isArray(axis) ? axis : [axis ?? -1];
  const axes = wanted.map((value) =>
    typeof value === 'number' && Number.isInteger(value) ? value + (value < 0 ? rank : 0) : -1,
  );
  const usable = axes.every((value) => value >= 0 && value < rank);
  return usable ? [...new Set(axes)].sort((a, b) => a - b) : null;
}

/** Axes over which one mean and variance is taken. */
export function normalizedAxes(family: Family, features: readonly number[], rank: number) {
  const all = Array.from({ length: rank }, (_, axis) => axis);
  switch (family) {
    case 'batch':
      return all.filter((axis) => !features.includes(axis));
    case 'instance':
      return all.filter((axis) => axis > 0 && !features.includes(axis));
    case 'group':
      return all.slice(1);
    case 'layer':
    case 'rms':
      return [...features];
    case 'other':
      return [];
  }
}

const numberOrNull = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

export const epsilonOf = (layer: NormLayer) => numberOrNull(layer.epsilon);

/** TF.js gives the weight of the old value; PyTorch's convention is that of the new one. */
export function momentumOf(layer: NormLayer, family: Family): number | null {
  const momentum = numberOrNull(layer.momentum);
  if (family !== 'batch' || momentum === null) return null;
  return Number((1 - momentum).toPrecision(12));
}
