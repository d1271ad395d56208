/** Branded ids: a layer id can not be passed where a run id is meant. */

declare const brand: unique symbol;

type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** One training process, or one process group. Unique within the extension host. */
export type RunId = Branded<string, 'RunId'>;

/** One norm layer instance within a run; stable over all layouts of that run. */
export type LayerId = Branded<number, 'LayerId'>;

/** One layout of the packed block within a run. */
export type LayoutId = Branded<number, 'LayoutId'>;

export const runId = (value: string): RunId => value as RunId;
export const layerId = (value: number): LayerId => value as LayerId;
export const layoutId = (value: number): LayoutId => value as LayoutId;
