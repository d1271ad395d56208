import type { LayerId, RunId } from './ids';
import type { LayerInfo } from './layers';
import type { RunSummary } from './views';

/** What `activate()` returns to other extensions, and to the tests. */
export interface NormScopeApi {
  readonly version: 1;
  runs(): readonly RunSummary[];
  layers(run: RunId): readonly LayerInfo[];
  /** Opens the panel, on a layer if one is given. */
  openPanel(run?: RunId, layer?: LayerId): Promise<void>;
  /** Called whenever a run appears or changes; at most 30 times a second. */
  onDidChange(listener: () => void): { dispose(): void };
}
