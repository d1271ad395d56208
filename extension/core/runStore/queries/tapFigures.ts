import type { Tap } from '../../../protocol/layers';
import type { TapFigures } from '../../../protocol/views';
import { largest, smallest } from '../../analysis/extremes';
import { normOf, poolFeatures } from '../../analysis/pooledFeatures';
import type { TapReading } from '../tapReading';
import { orNull } from './choices';

/** Figures of a tap that fired. */
export function tapFigures(tap: Tap, reading: TapReading): TapFigures {
  const variance = reading.values('featureVariance');
  const pooled = poolFeatures(reading.values('featureMean'), variance);
  return {
    tap,
    elements: reading.count('elements'),
    samples: reading.count('samples'),
    mean: orNull(pooled.mean),
    std: orNull(Math.sqrt(pooled.variance)),
    min: orNull(smallest(reading.values('featureMin'))),
    max: orNull(largest(reading.values('featureMax'))),
    norm: orNull(normOf(pooled, reading.finite)),
    nan: reading.count('nan'),
    positiveInfinity: reading.count('positiveInfinity'),
    negativeInfinity: reading.count('negativeInfinity'),
    zero: reading.count('zero'),
    subnormal: reading.count('subnormal'),
    deadFeatures: variance.reduce((dead, value) => dead + (value === 0 ? 1 : 0), 0),
  };
}
