import type { DeepFigures, LayerView } from '../../../protocol/views';
import {
  correlationFigures,
  correlationFloor,
  participationFloor,
  participationRatio,
} from '../../analysis/whitening';
import type { ReceivedDeep } from '../../frames/receivedFrame';
import type { Run } from '../run';
import { orNull } from './choices';

/** A covariance of a thousand features takes milliseconds, and the panel asks 30 times a second. */
const kept = new WeakMap<ReceivedDeep, readonly DeepFigures[]>();

/**
 * What a deep capture says. Its floors count each sample of the step as one independent row (see
 * `nullFloors.ts`), and no more rows than the covariance is of; they are not known when the step
 * itself is not kept any more.
 */
export function deepFigures(run: Run, deep: ReceivedDeep | undefined): LayerView['deep'] {
  if (!deep) return null;
  const taps = kept.get(deep) ?? figuresOf(run, deep);
  kept.set(deep, taps);
  return { step: deep.step, taps };
}

function figuresOf(run: Run, deep: ReceivedDeep): readonly DeepFigures[] {
  const nearest = run.history.nearest(deep.step);
  const record = nearest?.step === deep.step ? nearest : undefined;
  return deep.taps.map((tap) => {
    const { covariance, rows } = deep.tensors[tap] ?? {};
    const samples = record?.tap(deep.layer, tap)?.count('samples') ?? Number.NaN;
    const independent = Math.min(samples, covariance?.rows ?? Number.NaN);
    const known = (value: (matrix: Float32Array) => number) =>
      covariance ? orNull(value(covariance.matrix)) : null;
    return {
      tap,
      participationRatio: known(participationRatio),
      participationFloor: known(() => participationFloor(deep.features, independent)),
      meanCorrelation: known((matrix) => correlationFigures(matrix).meanAbsolute),
      correlationFloor: known(() => correlationFloor(independent)),
      rows: rows?.indices.length ?? 0,
    };
  });
}
