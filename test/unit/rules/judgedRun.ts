/** Small runs of known tensors that the rules judge, healthy unless a test plants a fault. */
import { AgentFrameParser } from '../../../extension/core/collector/parseAgentFrame';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { Run } from '../../../extension/core/runStore/run';
import type { Alert } from '../../../extension/protocol/alerts';
import type { Hello } from '../../../extension/protocol/frames';
import { COUNTS, type LayerInfo, type Tap } from '../../../extension/protocol/layers';
import { decodeBlob, encodeBlob } from '../../../extension/protocol/safetensors';
import {
  packStep,
  seeded,
  stepBody,
  syntheticLayer,
  syntheticLayout,
  syntheticRun,
  type Values,
  type Vectors,
} from '../../fixtures/syntheticRun';

export const [BATCH, LAYER, RMS] = [0, 1, 2];
export const FEATURES = 12;

/** What a layer holds in one step; a test changes it to plant a fault. */
export interface LayerStep {
  pre: number[][];
  gamma: number[];
  beta: number[];
  gradPost: number[][];
  /** Derived from the above, unless a test sets it. */
  post?: number[][];
  gradPre?: number[][];
  runningMean: number[];
  runningVariance: number[];
}

export interface RunPlan {
  readonly steps?: number;
  readonly samples?: number;
  readonly describe?: (info: LayerInfo, at: number) => LayerInfo;
  /** Plants a fault. */
  readonly plant?: (layer: LayerStep, at: number, step: number) => void;
  readonly hello?: Partial<Hello>;
  /** Seed of the numbers, and name of the run. */
  readonly seed?: number;
  readonly store?: RunStore;
  readonly lossScale?: number;
  /** Rows of every tensor that are padding. */
  readonly paddingRows?: number;
}

const filled = <T>(n: number, entry: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => entry(i));
const transposed = (values: Values) =>
  filled(values[0]?.length ?? 0, (j) => values.map((row) => row[j] ?? NaN));
const meanOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** One set that shares a mean and variance, and its gradient. */
function throughNorm(x: readonly number[], g: readonly number[], eps: number, centred: boolean) {
  const mean = centred ? meanOf(x) : 0;
  const deviation = Math.sqrt(meanOf(x.map((value) => (value - mean) ** 2)) + eps);
  const hat = x.map((value) => (value - mean) / deviation);
  const along = meanOf(g.map((value, i) => value * (hat[i] ?? NaN)));
  const back = centred ? meanOf(g) : 0;
  return { hat, dx: g.map((value, i) => (value - back - (hat[i] ?? NaN) * along) / deviation) };
}

function through(
  layer: LayerStep,
  { family, eps }: LayerInfo,
): { post: number[][]; gradPre: number[][] } {
  const { pre, gamma, beta, gradPost } = layer;
  const weighted = gradPost.map((row) => row.map((value, j) => value * (gamma[j] ?? NaN)));
  const columns = family === 'batch';
  const [x, g] = columns ? [transposed(pre), transposed(weighted)] : [pre, weighted];
  const sets = x.map((set, i) => throughNorm(set, g[i] ?? [], eps ?? 0, family !== 'rms'));
  const rows = (values: number[][]) => (columns ? transposed(values) : values);
  return {
    post: rows(sets.map(({ hat }) => hat)).map((row) =>
      row.map((value, j) => value * (gamma[j] ?? NaN) + (beta[j] ?? NaN)),
    ),
    gradPre: rows(sets.map(({ dx }) => dx)),
  };
}

/** Values of one layer in a step whose layers learn as in a healthy run. */
function layerStep(at: number, step: number, samples: number, normal: () => number): LayerStep {
  const learned = 1 - Math.exp(-step / 40);
  const matrix = (entry: (feature: number) => number) =>
    filled(samples, () => filled(FEATURES, entry));
  return {
    pre: matrix((j) => (1 + at) * (normal() + learned * Math.sin(j))),
    gamma: filled(FEATURES, (j) => 1 + 0.1 * learned * Math.cos(j)),
    beta: filled(FEATURES, (j) => 0.1 * learned * Math.sin(2 * j)),
    gradPost: matrix((j) => 0.01 * (normal() + 0.3 * Math.cos(j))),
    runningMean: filled(FEATURES, (j) => learned * (1 + at) * Math.sin(j)),
    runningVariance: filled(FEATURES, () => (1 + at) ** 2),
  };
}

/** A run of a BatchNorm, a LayerNorm and an RMSNorm that gets its steps one by one. */
export function startRun(plan: RunPlan): {
  readonly run: Run;
  readonly take: (step: number) => void;
} {
  const { samples = 16, describe = (info) => info, seed = 3 } = plan;
  const infos = filled(3, (at) => describe(syntheticLayer(at, FEATURES, samples), at));
  const random = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const store = plan.store ?? new RunStore();
  const origin = { id: `run-${seed}`, program: 'train.py', sessionType: 'normscope', startedAt: 5 };
  const run = store.create(origin);
  const parser = new AgentFrameParser();
  const layout = syntheticLayout(infos, samples);
  const send = (bytes: Uint8Array) => {
    const frame = parser.parse(decodeBlob(bytes));
    if (frame) store.accept(run, frame);
  };
  send(encodeBlob({ ...syntheticRun({ layers: 1, steps: 0 }).hello, ...plan.hello }));
  send(encodeBlob(layout));
  const take = (step: number) => {
    const layers = infos.map((info, at) => {
      const layer = layerStep(at, step, samples, normal);
      plan.plant?.(layer, at, step);
      return { ...through(layer, info), ...layer };
    });
    const values = layers.map((layer): Record<Tap, Values> => layer);
    const vectors = layers.map(({ gamma, beta, runningMean, runningVariance }): Vectors => ({
      gamma,
      beta,
      runningMean,
      runningVariance,
    }));
    const tensors = packStep(layout, values, vectors);
    const { block } = tensors;
    const paddingAt = COUNTS.indexOf('paddingRows');
    for (const { statistic, offset } of layout.slots) {
      if (statistic === 'counts' && block) block[offset + paddingAt] = plan.paddingRows ?? 0;
    }
    send(encodeBlob(stepBody(step, { lossScale: plan.lossScale ?? null }), tensors));
  };
  return { run, take };
}

/** The same with all its steps. */
export function judgedRun(plan: RunPlan = {}): Run {
  const { run, take } = startRun(plan);
  for (let step = 0; step < (plan.steps ?? 80); step++) take(step);
  return run;
}

/** Rule, layer and tap of each alert. */
export const spoken = (alerts: readonly Alert[]): string[] =>
  alerts.map(({ rule, layer, tap }) => [rule, layer, tap ?? '-'].join(' '));
