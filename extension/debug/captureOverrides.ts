import { parseExtraClasses } from '../protocol/extraClasses';
import type { CaptureSettings } from '../protocol/environment';
import { isRecord } from './interposer/messages';

const isPercentage = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 100;

/** What a configuration's `normscope` attribute overrides; what it gets wrong is left to the settings. */
export function captureOverrides(attribute: unknown): Partial<CaptureSettings> {
  if (!isRecord(attribute)) return {};
  const { budgetPercent, extraClasses } = attribute;
  return {
    ...(isPercentage(budgetPercent) ? { budgetPercent } : {}),
    ...(Array.isArray(extraClasses) ? { extraClasses: parseExtraClasses(extraClasses) } : {}),
  };
}
