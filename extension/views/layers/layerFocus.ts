import type { EditorModel } from '../../core/editor/editorModel';
import type { LayerId, RunId } from '../../protocol/ids';

/** Layers of one run that are captured deeply at the person's wish; each costs something. */
const MOST = 4;

/** The layers that the person chose to have captured deeply, beside what panels look at. */
export class LayerFocus {
  private run: RunId | undefined;
  private layers: readonly LayerId[] = [];

  /** @param tell - tells the run's process */
  constructor(
    private readonly model: EditorModel,
    private readonly tell: (run: RunId, layers: readonly LayerId[]) => void,
  ) {}

  has(run: RunId, layer: LayerId): boolean {
    return this.run === run && this.layers.includes(layer);
  }

  /** Of more than four the one that was chosen first goes. */
  add(run: RunId, layer: LayerId): void {
    if (this.run !== undefined && this.run !== run) {
      this.tell(this.run, []);
      this.layers = [];
    }
    const others = this.layers.filter((one) => one !== layer);
    this.set(run, [...others, layer].slice(-MOST));
  }

  remove(run: RunId, layer: LayerId): void {
    if (!this.has(run, layer)) return;
    this.set(
      run,
      this.layers.filter((one) => one !== layer),
    );
  }

  private set(run: RunId, layers: readonly LayerId[]): void {
    this.run = run;
    this.layers = layers;
    this.tell(run, layers);
    this.model.changed();
  }
}
