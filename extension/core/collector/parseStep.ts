import type { Step } from '../../protocol/frames';
import { layoutId } from '../../protocol/ids';
import { MalformedBlob, type Tensors } from '../../protocol/safetensors';
import type { StepTensors } from '../frames/receivedFrame';
import type { SlotIndex } from '../frames/slotIndex';
import type { Fields } from './fields';
import { checkHistograms, tensorOf } from './parseHistograms';

/** @throws MalformedBlob when a number is missing or out of bounds. */
export function parseStep(fields: Fields): Step {
  const interval = fields.count('interval');
  const histogramStride = fields.number('histogramStride');
  if (histogramStride < 1) throw new MalformedBlob('The step has a histogramStride below 1.');
  const lossScale = fields.numberOrNull('lossScale');
  if (lossScale !== null && lossScale <= 0) {
    throw new MalformedBlob('The step has a lossScale that is not above 0.');
  }
  return {
    kind: 'step',
    layoutId: layoutId(fields.count('layoutId')),
    step: fields.count('step'),
    time: fields.number('time'),
    loss: fields.numberOrNull('loss'),
    microBatches: fields.count('microBatches'),
    dropped: fields.count('dropped'),
    skipped: fields.count('skipped'),
    overheadPercent: fields.numberOrNull('overheadPercent'),
    interval: Math.max(1, interval),
    histogramStride,
    lossScale,
  };
}

/** @throws MalformedBlob when a tensor is missing, of another dtype or length, or not consistent. */
export function parseStepTensors(tensors: Tensors, index: SlotIndex): StepTensors {
  const where = 'A step frame';
  const block = tensorOf(where, tensors, 'block', Float32Array);
  const splits = tensorOf(where, tensors, 'splits', Uint32Array);
  const bins = tensorOf(where, tensors, 'bins', Uint16Array);
  const counts = tensorOf(where, tensors, 'counts', Uint32Array);
  if (block.length !== index.blockLength) {
    throw new MalformedBlob(
      `The block of a step has ${block.length} values where its layout has ${index.blockLength}.`,
    );
  }
  if (splits.length < index.histogramRows + 1) {
    throw new MalformedBlob('The histograms of a step have fewer rows than their layout.');
  }
  checkHistograms('The histograms of a step', { splits, bins, counts });
  return { block, splits, bins, counts };
}
