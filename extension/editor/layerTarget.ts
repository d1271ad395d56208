import type { EditorModel } from '../core/editor/editorModel';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { Run } from '../core/runStore/run';
import { layerId, runId } from '../protocol/ids';
import { isRecord } from '../protocol/untrusted';

/** What a command of ours gets to know which layers it is about; also from links in hovers. */
export interface LayerTarget {
  readonly run: string;
  readonly layers: readonly number[];
}

/** Layers of one run that are there. */
export interface FoundLayers {
  readonly run: Run;
  readonly layers: readonly LayerTrack[];
}

export const targetOf = (run: Run, layers: readonly LayerTrack[]): LayerTarget => ({
  run: run.origin.id,
  layers: layers.map(({ info }) => info.id),
});

/** Whether a command's argument is to name layers, be they still there or not. */
export const isTarget = (argument: unknown): boolean => isRecord(argument) && 'layers' in argument;

/** The layers that a command's argument names; undefined where it names none that is there. */
export function findTarget(model: EditorModel, argument: unknown): FoundLayers | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { run: id, layers: ids } = argument as Partial<Record<keyof LayerTarget, unknown>>;
  if (typeof id !== 'string' || !Array.isArray(ids)) return undefined;
  const run = model.store.get(runId(id));
  const layers = ids.flatMap((one: unknown) =>
    typeof one === 'number' ? (run?.layer(layerId(one)) ?? []) : [],
  );
  return run && layers.length > 0 ? { run, layers } : undefined;
}

/** A link of Markdown that runs one of our commands. */
export function commandLink(command: string, argument: unknown): string {
  const query = encodeURIComponent(JSON.stringify([argument]));
  // Parentheses would end the link.
  return `command:${command}?${query.replaceAll('(', '%28').replaceAll(')', '%29')}`;
}
