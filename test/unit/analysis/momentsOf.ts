import { NO_MOMENTS, type Moments } from '../../../extension/core/analysis/moments';

/** Moments of a list of finite values in two passes. */
export function momentsOf(values: readonly number[]): Moments {
  if (values.length === 0) return NO_MOMENTS;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const m2 = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { n: values.length, mean, m2 };
}
