import type { ExtraClass } from '../protocol/environment';
import { FAMILIES } from '../protocol/layers';

function extraClassOf(entry: unknown): ExtraClass | undefined {
  if (typeof entry === 'string') return { pattern: entry, family: null, featureAxis: null };
  if (typeof entry !== 'object' || entry === null) return undefined;
  const pattern: unknown = Reflect.get(entry, 'pattern');
  const family: unknown = Reflect.get(entry, 'family');
  const axis: unknown = Reflect.get(entry, 'featureAxis');
  if (typeof pattern !== 'string') return undefined;
  return {
    pattern,
    family: FAMILIES.find((name) => name === family) ?? null,
    featureAxis: typeof axis === 'number' && Number.isInteger(axis) ? axis : null,
  };
}

/**
 * Further norm classes as a person writes them: a class name or glob, or an object that also has
 * the family and the feature axis. Entries that are neither are left out.
 */
export function parseExtraClasses(list: unknown): readonly ExtraClass[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => extraClassOf(entry) ?? []);
}
