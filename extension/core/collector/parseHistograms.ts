import { BIN_COUNT, type SparseHistograms } from '../../protocol/bitBins';
import { MalformedBlob, type TensorData, type Tensors } from '../../protocol/safetensors';

/**
 * A tensor of a frame.
 * @param where - the frame, as the sentence names it: `A step frame`
 * @throws MalformedBlob when it is missing or of another dtype.
 */
export function tensorOf<T extends TensorData>(
  where: string,
  tensors: Tensors,
  name: string,
  type: new (length: number) => T,
): T {
  const data = Object.hasOwn(tensors, name) ? tensors[name] : undefined;
  if (!(data instanceof type)) {
    throw new MalformedBlob(`${where} has no ${type.name} tensor "${name}".`);
  }
  return data;
}

/**
 * Checks histograms in compressed sparse rows: splits in order within the bins, a count for each
 * bin, bins of `bitBins.ts`.
 *
 * @param where - as the sentence names them: `The histograms of a step`
 * @throws MalformedBlob when they are not consistent.
 */
export function checkHistograms(where: string, { splits, bins, counts }: SparseHistograms): void {
  if (bins.length !== counts.length) {
    throw new MalformedBlob(`${where} have more bins than counts, or fewer.`);
  }
  let previous = 0;
  for (const split of splits) {
    if (split < previous || split > bins.length) {
      throw new MalformedBlob(`${where} have splits that are not in order.`);
    }
    previous = split;
  }
  // There are 2¹² bins, so one beyond them leaves a higher bit in all of them together.
  let bits = 0;
  for (let i = 0; i < bins.length; i++) bits |= bins[i] as number;
  if (bits < BIN_COUNT) return;
  const beyond = bins.find((bin) => bin >= BIN_COUNT);
  throw new MalformedBlob(`${where} have a bin ${beyond}.`);
}
