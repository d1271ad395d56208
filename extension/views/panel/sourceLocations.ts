import type { RunId } from '../../protocol/ids';
import type { LayerInfo } from '../../protocol/layers';
import type { RunSummary } from '../../protocol/views';

/** What is needed of the run store. */
export interface LayerSource {
  runs(): readonly RunSummary[];
  layers(run: RunId): readonly LayerInfo[];
}

/** Whether a layer of any run was built or called there: the panel may open nothing else. */
export function isLayerLocation(source: LayerSource, file: string, line: number): boolean {
  return source
    .runs()
    .flatMap(({ id }) => source.layers(id))
    .flatMap(({ constructedAt, calledAt }) => [constructedAt, calledAt])
    .some((location) => location?.file === file && location.line === line);
}
