import type { RunId } from '../../protocol/ids';
import type { RunSummary } from '../../protocol/views';
import type { PanelMemory } from './panelSession';
import { parsePanelState, type PanelState } from '../../protocol/panelState';
import { isRecord } from '../../protocol/untrusted';

const KEY = 'normscope.panelState';

/** What is needed of `vscode.Memento`. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/**
 * Keeps the panel's state in the workspace. A run that began since is what the person wants to see:
 * then only the layer's name is given back.
 *
 * @param runs - newest first
 */
export function panelMemory(storage: Storage, runs: () => readonly RunSummary[]): PanelMemory {
  const newestRun = (): RunId | null => runs()[0]?.id ?? null;
  return {
    recall: () => {
      const kept = storage.get(KEY);
      const state = isRecord(kept) ? parsePanelState(kept.state) : undefined;
      if (!isRecord(kept) || !state) return null;
      return kept.newest === newestRun()
        ? state
        : { ...state, run: null, step: 'live', range: null };
    },
    remember: (state: PanelState) => {
      // What can not be stored is only not remembered.
      storage.update(KEY, { state, newest: newestRun() }).then(undefined, () => undefined);
    },
  };
}
