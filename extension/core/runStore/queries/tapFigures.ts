import type { Tap } from '../../../protocol/layers';
import type { TapFigures } from '../../../protocol/views';
import { largest, smallest } from '../../analysis/extremes';
import { normOf } from '../../analysis/pooledFeatures';
import type { TapReading } from '../tapReading';
import { orNull } from './choices';

/** Figures of a tap that fired. */
export function tapFigures(tap: Tap, reading: TapReading): TapFigures {
  const variance = reading.values('featureVariance');
  const { pooled } = reading;
  return {
    tap,
    elements: reading.count('elements'),
    samples: reading.count('samples'),
    mean: orNull(pooled.mean),
    std: orNull(Math.sqrt(pooled.variance)),
    min: orNull(smallest(reading.values('featureMin'))),
    max: orNull(largest(reading.values('featureMax'))),
    skewness: orNull(reading.whole('skewness')),
    kurtosis: orNull(reading.whole('kurtosis')),
    headroom: orNull(reading.whole('headroom')),
    norm: orNull(normOf(pooled, reading.finite)),
    nan: reading.count('nan'),
    positiveInfinity: reading.count('positiveInfinity'),
    negativeInfinity: reading.count('negativeInfinity'),
    zero: reading.count('zero'),
    subnormal: reading.count('subnormal'),
    deadFeatures: variance.reduce((dead, value) => dead + (value === 0 ? 1 : 0), 0),
    paddingRows: reading.count('paddingRows'),
    unpaddedMean: orNull(reading.whole('mean', 'unpaddedWhole')),
    unpaddedStd: orNull(Math.sqrt(reading.whole('variance', 'unpaddedWhole'))),
  };
}
