import type { LayerId } from '../../protocol/ids';
import type { ReceivedDeep } from '../frames/receivedFrame';
import { DeepHistory, histogramsOf, type DeepHistograms } from './deepHistory';

interface Entry {
  newest: ReceivedDeep;
  readonly history: DeepHistory;
}

/**
 * The newest deep capture of each layer that is or was looked at, and the histograms of those
 * before it, within a budget of bytes.
 */
export class DeepCaptures {
  /** Captured the longest ago first. */
  private readonly byLayer = new Map<LayerId, Entry>();
  private bytes = 0;

  constructor(private budget: number) {}

  get byteLength(): number {
    return this.bytes;
  }

  get(layer: LayerId): ReceivedDeep | undefined {
    return this.byLayer.get(layer)?.newest;
  }

  /** Histograms of the layer's captures, oldest first, the newest among them. */
  histograms(layer: LayerId): readonly DeepHistograms[] {
    const entry = this.byLayer.get(layer);
    if (!entry) return [];
    const { newest, history } = entry;
    const taps = Object.fromEntries(newest.taps.map((tap) => [tap, histogramsOf(newest, tap)]));
    return [...history.captures(), { step: newest.step, taps, bytes: 0 }];
  }

  /** Takes the layer's newest capture; what is too much goes, of layers not looked at any more first. */
  push(frame: ReceivedDeep): void {
    const former = this.byLayer.get(frame.layer);
    this.byLayer.delete(frame.layer);
    const history = former?.history ?? new DeepHistory();
    if (former) history.push(former.newest);
    this.byLayer.set(frame.layer, { newest: frame, history });
    this.trim();
  }

  setBudget(budget: number): void {
    this.budget = budget;
    this.trim();
  }

  private count(): number {
    let bytes = 0;
    for (const { newest, history } of this.byLayer.values()) {
      bytes += newest.bytes + history.byteLength;
    }
    this.bytes = bytes;
    return bytes;
  }

  private trim(): void {
    while (this.count() > this.budget) {
      const [oldest] = this.byLayer;
      if (!oldest) break;
      const [layer, { history }] = oldest;
      // Former captures are thinned before a layer goes altogether, those of the last layer too.
      if (history.byteLength > 0) history.thin();
      else this.byLayer.delete(layer);
    }
  }
}
