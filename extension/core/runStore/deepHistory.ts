import type { SparseHistograms } from '../../protocol/bitBins';
import type { Tap } from '../../protocol/layers';
import type { ReceivedDeep } from '../frames/receivedFrame';

/** Histograms of one tap of a deep capture: a row a feature, and a row a sample. */
export interface TapHistograms {
  readonly feature: SparseHistograms | undefined;
  readonly sample: SparseHistograms | undefined;
}

/** What is kept of a deep capture that is not the newest. */
export interface DeepHistograms {
  readonly step: number;
  readonly taps: Readonly<Partial<Record<Tap, TapHistograms>>>;
  readonly bytes: number;
}

/** Most captures of one layer that are kept: more than a drawing of them has room for. */
const MAX_KEPT = 128;
/** Taps whose histograms are looked at over time. */
const KEPT_TAPS: readonly Tap[] = ['pre', 'post'];
/** Rough memory of an entry's own objects. */
const OBJECT_BYTES = 1024;

const bytesOf = (histograms: SparseHistograms | undefined): number =>
  histograms
    ? histograms.splits.byteLength + histograms.bins.byteLength + histograms.counts.byteLength
    : 0;

export const histogramsOf = ({ tensors }: ReceivedDeep, tap: Tap): TapHistograms => ({
  feature: tensors[tap]?.featureHistograms,
  sample: tensors[tap]?.sampleHistograms,
});

/** In memory of its own: a frame's tensors keep all of the frame alive. */
const copied = (histograms: SparseHistograms | undefined): SparseHistograms | undefined =>
  histograms && {
    splits: histograms.splits.slice(),
    bins: histograms.bins.slice(),
    counts: histograms.counts.slice(),
  };

function extracted(frame: ReceivedDeep): DeepHistograms {
  const taps: Partial<Record<Tap, TapHistograms>> = {};
  let bytes = OBJECT_BYTES;
  for (const tap of KEPT_TAPS) {
    const { feature, sample } = histogramsOf(frame, tap);
    taps[tap] = { feature: copied(feature), sample: copied(sample) };
    bytes += bytesOf(feature) + bytesOf(sample);
  }
  return { step: frame.step, taps, bytes };
}

/** The former deep captures of one layer, thinned evenly: every 2ⁿ-th is kept, back to the first. */
export class DeepHistory {
  private kept: { readonly ordinal: number; readonly histograms: DeepHistograms }[] = [];
  private pushed = 0;
  private stride = 1;
  private bytes = 0;

  get byteLength(): number {
    return this.bytes;
  }

  /** Oldest first. */
  captures(): readonly DeepHistograms[] {
    return this.kept.map(({ histograms }) => histograms);
  }

  push(frame: ReceivedDeep): void {
    const ordinal = this.pushed++;
    if (ordinal % this.stride !== 0) return;
    const histograms = extracted(frame);
    this.kept.push({ ordinal, histograms });
    this.bytes += histograms.bytes;
    if (this.kept.length > MAX_KEPT) this.thin();
  }

  /** Lets about every second capture go; where there is only one, that one. */
  thin(): void {
    const before = this.kept.length;
    if (before === 1) this.kept = [];
    while (this.kept.length > 1 && this.kept.length === before) {
      this.stride *= 2;
      this.kept = this.kept.filter(({ ordinal }) => ordinal % this.stride === 0);
    }
    this.bytes = this.kept.reduce((sum, { histograms }) => sum + histograms.bytes, 0);
  }
}
