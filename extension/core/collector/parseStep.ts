import { BIN_COUNT } from '../../protocol/bitBins';
import type { Step } from '../../protocol/frames';
import { layoutId } from '../../protocol/ids';
import { MalformedBlob, type TensorData, type Tensors } from '../../protocol/safetensors';
import type { StepTensors } from '../frames/receivedFrame';
import type { SlotIndex } from '../frames/slotIndex';
import type { Fields } from './fields';

/** @throws MalformedBlob when a number is missing or out of bounds. */
export function parseStep(fields: Fields): Step {
  const interval = fields.count('interval');
  const histogramStride = fields.number('histogramStride');
  if (histogramStride < 1) throw new MalformedBlob('The step has a histogramStride below 1.');
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
  };
}

function tensor<T extends TensorData>(
  tensors: Tensors,
  name: string,
  type: new (length: number) => T,
): T {
  const data = Object.hasOwn(tensors, name) ? tensors[name] : undefined;
  if (!(data instanceof type)) {
    throw new MalformedBlob(`A step frame has no ${type.name} tensor "${name}".`);
  }
  return data;
}

/** @throws MalformedBlob when a tensor is missing, of another dtype or length, or not consistent. */
export function parseStepTensors(tensors: Tensors, index: SlotIndex): StepTensors {
  const block = tensor(tensors, 'block', Float32Array);
  const splits = tensor(tensors, 'splits', Uint32Array);
  const bins = tensor(tensors, 'bins', Uint16Array);
  const counts = tensor(tensors, 'counts', Uint32Array);
  if (block.length !== index.blockLength) {
    throw new MalformedBlob(
      `The block of a step has ${block.length} values where its layout has ${index.blockLength}.`,
    );
  }
  if (bins.length !== counts.length) {
    throw new MalformedBlob('The histograms of a step have more bins than counts, or fewer.');
  }
  if (splits.length < index.histogramRows + 1) {
    throw new MalformedBlob('The histograms of a step have fewer rows than their layout.');
  }
  let previous = 0;
  for (const split of splits) {
    if (split < previous || split > bins.length) {
      throw new MalformedBlob('The histograms of a step have splits that are not in order.');
    }
    previous = split;
  }
  for (const bin of bins) {
    if (bin >= BIN_COUNT) throw new MalformedBlob(`A histogram of a step has a bin ${bin}.`);
  }
  return { block, splits, bins, counts };
}
