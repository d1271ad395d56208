import { AgentFrameParser } from '../../../../extension/core/collector/parseAgentFrame';
import type { RunStore } from '../../../../extension/core/runStore/runStore';
import type { Run } from '../../../../extension/core/runStore/run';
import type { Hello, Step } from '../../../../extension/protocol/frames';
import { layerId, type LayerId, type RunId } from '../../../../extension/protocol/ids';
import type { LayerInfo, Tap } from '../../../../extension/protocol/layers';
import { decodeBlob, encodeBlob } from '../../../../extension/protocol/safetensors';
import type { PanelSource } from '../../../../extension/views/panel/panelSession';
import {
  packStep,
  seeded,
  stepBody,
  syntheticLayout,
  syntheticRun,
  type Values,
  type Vectors,
} from '../../../fixtures/syntheticRun';

export type StepValues = readonly Readonly<Partial<Record<Tap, Values>>>[];

/** A layer as an agent would describe it, of [samples, features] unless said otherwise. */
export function layerInfo(id: number, name: string, change: Partial<LayerInfo> = {}): LayerInfo {
  return {
    id: layerId(id),
    name,
    call: 0,
    className: 'LayerNorm',
    family: 'layer',
    features: 8,
    featureAxes: [1],
    normalizedAxes: [1],
    inputShape: [6, 8],
    dtype: 'float32',
    eps: 1e-5,
    momentum: null,
    constructedAt: { file: '/home/ada/project/model.py', line: 42 },
    calledAt: { file: '/home/ada/project/model.py', line: 57 },
    status: [],
    ...change,
  };
}

/** Values of one tap: `rows` samples of `features`, around `centre` with the given spread. */
export function drawn(
  seed: number,
  rows: number,
  features: number,
  centre: number,
  spread: number,
): Values {
  const random = seeded(seed);
  return Array.from({ length: rows }, () =>
    Array.from({ length: features }, () => Math.fround(centre + spread * (random() - 0.5))),
  );
}

/** One run in a real store, fed with frames whose values the test knows. */
export class KnownRun {
  readonly run: Run;
  private readonly parser = new AgentFrameParser();
  private layout;
  private readonly samples: number;

  constructor(
    private readonly store: RunStore,
    private infos: readonly LayerInfo[],
    options: { id?: string; program?: string; startedAt?: number; samples?: number } = {},
  ) {
    const { id = 'known', program = 'transformer.py', startedAt = 1_000, samples = 6 } = options;
    this.run = store.create({ id, program, sessionType: 'normscope', startedAt });
    this.samples = samples;
    this.layout = syntheticLayout(infos, samples);
    const { hello } = syntheticRun({ layers: 1, steps: 0, program });
    const greeting: Hello = { ...hello, startedAt };
    this.accept(encodeBlob(greeting));
    this.accept(encodeBlob(this.layout));
    store.update(this.run, { phase: 'running' });
  }

  get id(): RunId {
    return this.run.origin.id;
  }

  layer(name: string): LayerId {
    const info = this.infos.find((candidate) => candidate.name === name);
    if (!info) throw new Error(`There is no layer ${name}.`);
    return info.id;
  }

  /** Announces other layers from now on. */
  layers(infos: readonly LayerInfo[]): void {
    this.infos = infos;
    this.layout = syntheticLayout(infos, this.samples, this.layout.layoutId + 1);
    this.accept(encodeBlob(this.layout));
  }

  /** Adds a step with the given values of each layer, in the order of the layers. */
  step(
    number: number,
    values: StepValues,
    change: Partial<Step> = {},
    vectors: readonly Vectors[] = [],
  ): void {
    this.accept(
      encodeBlob(
        stepBody(number, { layoutId: this.layout.layoutId, ...change }),
        packStep(this.layout, values, vectors),
      ),
    );
  }

  private accept(bytes: Uint8Array): void {
    const frame = this.parser.parse(decodeBlob(bytes));
    if (!frame) throw new Error('The store does not know this frame.');
    this.store.accept(this.run, frame);
  }
}

/** A store as the panel's session sees it; remembers what was focused. */
export function sourceOf(store: RunStore) {
  const focused: { run: RunId; layers: readonly LayerId[] }[] = [];
  const source: PanelSource = {
    query: (query) => store.query(query),
    onDidChange: (listener) => store.onDidChange(listener),
    focus: (run, layers) => focused.push({ run, layers }),
    chooseReference: (id, step) => {
      const run = store.get(id);
      if (run) store.chooseReference(run, step);
    },
  };
  return { source, focused };
}
