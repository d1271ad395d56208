import type { DefinitionId } from '../definitions';

/** The formula of each definition in one line, and the unit of its figures. */
export type DefinitionStringKey =
  `formula.${DefinitionId}` | `unit.${DefinitionId}` | 'about' | 'aboutUnit' | 'aboutMore';
