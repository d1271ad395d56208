import type { Family } from '../../protocol/layers';
import { found, type Finding } from './finding';

/**
 * Rule `padding-in-statistics`: more than 5 % of the rows that a layer takes its statistics from
 * are padding (PyTorch has no mask for them, TF.js does not use its own; DEFINITIONS.md, 1,
 * "Mask"). Layer and RMS norms take theirs from each row alone.
 */
export function paddingInStatistics(
  family: Family,
  paddingRows: number,
  rows: number,
  limit: number,
): Finding | undefined {
  const mixesRows = family === 'batch' || family === 'group' || family === 'instance';
  const value = paddingRows / rows;
  if (!mixesRows || !(value >= limit)) return undefined;
  return found('warning', { tap: 'pre', value, limit });
}
