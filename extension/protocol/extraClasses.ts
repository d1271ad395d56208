import type { ExtraClass } from './environment';
import { FAMILIES } from './layers';
import { MAX_TEXT } from './limits';

function extraClassOf(entry: unknown): ExtraClass | undefined {
  const named = typeof entry === 'object' && entry !== null ? entry : { pattern: entry };
  const pattern: unknown = Reflect.get(named, 'pattern');
  const family: unknown = Reflect.get(named, 'family');
  const axis: unknown = Reflect.get(named, 'featureAxis');
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > MAX_TEXT) return undefined;
  return {
    pattern,
    family: FAMILIES.find((name) => name === family) ?? null,
    featureAxis: typeof axis === 'number' && Number.isSafeInteger(axis) ? axis : null,
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
