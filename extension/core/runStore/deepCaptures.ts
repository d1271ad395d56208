import type { LayerId } from '../../protocol/ids';
import type { ReceivedDeep } from '../frames/receivedFrame';

/** The newest deep capture of each layer that is or was looked at, within a budget of bytes. */
export class DeepCaptures {
  /** Oldest capture first. */
  private readonly byLayer = new Map<LayerId, ReceivedDeep>();
  private bytes = 0;

  constructor(private budget: number) {}

  get byteLength(): number {
    return this.bytes;
  }

  get(layer: LayerId): ReceivedDeep | undefined {
    return this.byLayer.get(layer);
  }

  /** Takes a capture in place of the layer's last one; others go, oldest first, when it is too much. */
  push(frame: ReceivedDeep): void {
    this.remove(frame.layer);
    this.byLayer.set(frame.layer, frame);
    this.bytes += frame.bytes;
    this.trim();
  }

  setBudget(budget: number): void {
    this.budget = budget;
    this.trim();
  }

  private remove(layer: LayerId): void {
    this.bytes -= this.byLayer.get(layer)?.bytes ?? 0;
    this.byLayer.delete(layer);
  }

  private trim(): void {
    for (const layer of this.byLayer.keys()) {
      if (this.bytes <= this.budget) break;
      this.remove(layer);
    }
  }
}
