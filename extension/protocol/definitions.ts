/** Sections of `media/definitions.md`, which says how each figure is computed and where it is from. */
export const DEFINITIONS = [
  'taps',
  'distribution',
  'value-classes',
  'features',
  'samples',
  'rows',
  'drift',
  'gradients',
  'layer-norm-theorem',
  'parameters',
  'running-statistics',
  'eval-shift',
  'saturation',
  'dead-features',
  'deep-capture',
  'heat-map',
  'depth-profile',
  'overhead',
] as const;
export type DefinitionId = (typeof DEFINITIONS)[number];
