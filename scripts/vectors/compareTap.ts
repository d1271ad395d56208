import type { TapReading } from '../../extension/core/runStore/tapReading';
import { compare, type Comparison } from './comparison';
import { momentsBy, type Layout, type Moments } from './reference';

/**
 * Everything that a tap's summary says, beside the values that went through it. Means are relative
 * to the root mean square of the tensor, shape figures to 1 where they are below it: the rounding of
 * the input to float32 sets them that limit.
 */
export function compareTap(
  name: string,
  reading: TapReading | undefined,
  values: readonly number[],
  layout: Layout,
): readonly Comparison[] {
  if (!reading) return [compare(`${name}, which did not fire,`, Number.NaN, 0)];
  const { features, samples, whole } = momentsBy(values, layout);
  const size = Math.sqrt(whole.mean ** 2 + whole.variance);
  const list = (of: readonly Moments[], figure: keyof Moments) => of.map((set) => set[figure]);
  const means = { scale: size };
  const squares = { scale: size ** 2 };
  const shape = (figure: 'skewness' | 'kurtosis') =>
    compare(`${name} ${figure}`, reading.whole(figure), whole[figure], {
      scale: Math.max(1, Math.abs(whole[figure])),
    });
  return [
    compare(`${name} elements`, reading.count('elements'), values.length),
    compare(`${name} samples`, reading.count('samples'), samples.length),
    compare(`${name} mean`, reading.whole('mean'), whole.mean, means),
    compare(`${name} variance`, reading.whole('variance'), whole.variance),
    shape('skewness'),
    shape('kurtosis'),
    compare(`${name} smallest value`, reading.whole('min'), whole.min, means),
    compare(`${name} largest value`, reading.whole('max'), whole.max, means),
    compare(`${name} feature means`, reading.values('featureMean'), list(features, 'mean'), means),
    compare(
      `${name} feature variances`,
      reading.values('featureVariance'),
      list(features, 'variance'),
      squares,
    ),
    compare(`${name} feature minima`, reading.values('featureMin'), list(features, 'min'), means),
    compare(`${name} feature maxima`, reading.values('featureMax'), list(features, 'max'), means),
    compare(`${name} sample means`, reading.samples('sampleMean'), list(samples, 'mean'), means),
    compare(
      `${name} sample variances`,
      reading.samples('sampleVariance'),
      list(samples, 'variance'),
      squares,
    ),
  ];
}
