import type { Alert, Severity } from '../../protocol/alerts';

/** What a rule says of one step, when it speaks. */
export type Finding = Pick<
  Alert,
  'severity' | 'tap' | 'value' | 'limit' | 'feature' | 'features' | 'row' | 'layers' | 'other'
>;

const NOTHING: Omit<Finding, 'severity'> = {
  tap: null,
  value: null,
  limit: null,
  feature: null,
  features: null,
  row: null,
  layers: null,
  other: null,
};

export const found = (
  severity: Severity,
  details: Partial<Omit<Finding, 'severity'>> = {},
): Finding => ({ ...NOTHING, ...details, severity });
