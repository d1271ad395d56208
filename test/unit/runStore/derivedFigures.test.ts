import { describe, expect, it } from 'vitest';
import { AgentFrameParser } from '../../../extension/core/collector/parseAgentFrame';
import { layerId, runId } from '../../../extension/protocol/ids';
import { PARAMETERS, type Tap } from '../../../extension/protocol/layers';
import { decodeBlob, encodeBlob } from '../../../extension/protocol/safetensors';
import { LAYER_FIGURES, type LayerView, type Reference } from '../../../extension/protocol/views';
import { moments, plainDrift } from '../../fixtures/plainDrift';
import { columnOf, syntheticRun, syntheticStore, type Values } from '../../fixtures/syntheticRun';

const options = { layers: 3, steps: 25, samples: 8, features: 5, seed: 4 };
const run = syntheticRun(options);
const store = syntheticStore(options);
const [BATCH, LAYER] = [0, 1];

const driftBetween = (before: Values, after: Values) => plainDrift(before, after, options.features);

function ask(layer: number, reference?: Reference, from = store) {
  const blob = decodeBlob(
    from.query({
      view: 'layer',
      run: runId('synthetic'),
      layer: layerId(layer),
      step: 'live',
      points: 100,
      ridges: 0,
      ridgePoints: 64,
      ...(reference && { reference }),
    }),
  );
  const body = blob.body as LayerView;
  expect(body.view).toBe('layer');
  return { body, tensor: (name: string) => Array.from(blob.tensors[name] ?? []) };
}

const valuesAt = (step: number, layer: number, tap: Tap): Values =>
  run.steps[step]?.values[layer]?.[tap] ?? [];
const vectorsAt = (step: number, layer: number) => run.steps[step]?.vectors[layer] ?? {};

const near = (actual: number | null | undefined, expected: number, tolerance = 1e-5) =>
  expect(Math.abs((actual ?? NaN) - expected)).toBeLessThanOrEqual(
    tolerance * Math.max(1e-9, Math.abs(expected)),
  );

describe('drift in the layer view', () => {
  const together = (from: number, to: number, tap: Tap): Values =>
    Array.from({ length: to - from }, (_, i) => valuesAt(from + i, LAYER, tap)).flat();

  it.each([
    ['previous', 24, 23, 24],
    ['first', 24, 0, 10],
    ['window', 24, 14, 24],
  ] as const)('is taken against the %s steps', (reference, step, from, to) => {
    const { body, tensor } = ask(LAYER, reference);
    expect(body.reference).toBe(reference);
    for (const tap of ['pre', 'post'] as const) {
      const after = valuesAt(step, LAYER, tap);
      const expected = driftBetween(together(from, to, tap), after);
      near(tensor(`${tap}Drift`)[step], expected, 1e-4);
      const samples = options.samples * (to - from);
      const spread = 1 / samples + 1 / options.samples;
      near(tensor(`${tap}DriftFloor`)[step], Math.sqrt(spread));
      near(tensor(`${tap}WassersteinFloor`)[step], 1.25 * Math.sqrt(spread));
      // Ten groups of the reference, or fewer where a bin holds several tenths of it.
      const groups = (tensor(`${tap}PsiFloor`)[step] ?? NaN) / spread + 1;
      expect(Math.abs(groups - Math.round(groups))).toBeLessThan(1e-4);
      expect(Math.round(groups)).toBeGreaterThan(5);
      expect(Math.round(groups)).toBeLessThanOrEqual(10);
      const sort = (values: Values) => values.flat().sort((a, b) => a - b);
      const [x, y] = [sort(together(from, to, tap)), sort(after)];
      const distance =
        x.reduce(
          (sum, value, i) =>
            sum + Math.abs(value - (y[Math.floor((i * y.length) / x.length)] ?? NaN)),
          0,
        ) / x.length;
      const deviation = Math.sqrt(moments(x).variance);
      expect(
        Math.abs((tensor(`${tap}Wasserstein`)[step] ?? NaN) - distance / deviation),
      ).toBeLessThan(0.1);
      expect(tensor(`${tap}Psi`)[step]).toBeGreaterThan(0);
    }
  });

  it('is taken against the first steps although history is too small to hold them', () => {
    const small = syntheticStore(options, { maxRunBytes: 1 });
    const kept = small.get(runId('synthetic'));
    expect(kept?.history.size).toBeLessThan(10);
    const expected = driftBetween(together(0, 10, 'pre'), valuesAt(24, LAYER, 'pre'));
    near(ask(LAYER, 'first', small).tensor('preDrift').at(-1), expected, 1e-4);
  });

  it('begins when there is something to compare with', () => {
    const known = (reference: Reference) =>
      ask(LAYER, reference)
        .tensor('preDrift')
        .findIndex((value) => !Number.isNaN(value));
    expect(known('previous')).toBe(1);
    expect(known('window')).toBe(1);
    expect(known('first')).toBe(10);
    expect(ask(LAYER).body.reference).toBe('previous');
  });
});

describe('figures of the whole layer', () => {
  it('compare a batch with the running statistics that the layer has', () => {
    const { body, tensor } = ask(BATCH);
    expect(body.runningStatistics).toBe('own');
    const step = options.steps - 1;
    const { runningMean = [], runningVariance = [] } = vectorsAt(step, BATCH);
    let [mean, variance] = [0, 0];
    for (let j = 0; j < options.features; j++) {
      const batch = moments(columnOf(valuesAt(step, BATCH, 'pre'), j));
      mean += (batch.mean - (runningMean[j] ?? NaN)) ** 2;
      variance += (batch.variance - (runningVariance[j] ?? NaN)) ** 2;
    }
    near(body.layerFigures.shenMean, Math.sqrt(mean) / options.features);
    near(body.layerFigures.shenVariance, Math.sqrt(variance) / options.features);
    near(body.layerFigures.rmsMean, Math.sqrt(mean / options.features));
    expect(body.layerFigures.relativeEvalShift).toBeGreaterThan(0);
    near(tensor('shenMean').at(-1), Math.sqrt(mean) / options.features);
  });

  it('compare it with those of a BatchNorm in its place where it has none', () => {
    const { body } = ask(LAYER);
    expect(body.runningStatistics).toBe('as-if');
    let running: number[] = [];
    for (let step = 0; step < options.steps - 1; step++) {
      const batch = Array.from(
        { length: options.features },
        (_, j) => moments(columnOf(valuesAt(step, LAYER, 'pre'), j)).mean,
      );
      running = step === 0 ? batch : running.map((old, j) => 0.9 * old + 0.1 * (batch[j] ?? NaN));
    }
    const last = running.map(
      (old, j) => moments(columnOf(valuesAt(options.steps - 1, LAYER, 'pre'), j)).mean - old,
    );
    near(body.layerFigures.shenMean, Math.hypot(...last) / options.features, 1e-4);
  });

  it('follow gradients and updates', () => {
    const { body } = ask(LAYER);
    const step = options.steps - 1;
    const norm = (values: readonly number[]) => Math.hypot(...values);
    const { gamma = [], gammaUpdate = [], betaGradient = [] } = vectorsAt(step, LAYER);
    near(body.layerFigures.gammaUpdateRatio, norm(gammaUpdate) / norm(gamma));
    near(body.layerFigures.betaGradientNorm, norm(betaGradient));
    near(
      body.layerFigures.gradientRatio,
      norm(valuesAt(step, LAYER, 'gradPre').flat()) /
        norm(valuesAt(step, LAYER, 'gradPost').flat()),
    );
  });

  it('have the means of the LayerNorm theorem, for LayerNorms only', () => {
    const step = options.steps - 1;
    const { body } = ask(LAYER);
    near(
      body.layerFigures.theoremMeanBefore,
      moments(valuesAt(step, LAYER, 'gradPre').flat()).mean,
    );
    expect(body.layerFigures.theoremBound).toBeGreaterThan(0);
    expect(ask(BATCH).body.layerFigures.theoremBound).toBeNull();
    // The synthetic gradient is not centred again, as after constants.
    expect(ask(BATCH).body.layerFigures.usesConstants).toBe(1);
  });

  it('are all there as series too', () => {
    const { tensor } = ask(LAYER);
    for (const name of LAYER_FIGURES) expect(tensor(name)).toHaveLength(options.steps);
  });
});

describe('the layer view of one step', () => {
  it('has shape figures, furthest rows and histograms of rows', () => {
    const { body, tensor } = ask(LAYER);
    const pre = body.figures.find(({ tap }) => tap === 'pre');
    const all = valuesAt(options.steps - 1, LAYER, 'pre').flat();
    const { mean, variance } = moments(all);
    const third = all.reduce((sum, value) => sum + (value - mean) ** 3, 0) / all.length;
    near(pre?.skewness, third / variance ** 1.5, 1e-4);
    expect(pre).toMatchObject({ paddingRows: 0, unpaddedMean: null });
    expect(body.extremeRows.pre).toHaveLength(options.samples);
    expect(ask(BATCH).body.extremeRows).toEqual({});
    const [lower, upper] = body.rowMeanRange;
    const mass = tensor('preRowMeanHistogram').reduce((sum, value) => sum + value, 0);
    expect((mass * (upper - lower)) / 64).toBeGreaterThan(0.95);
    expect(ask(BATCH).tensor('preRowMeanHistogram').every(Number.isNaN)).toBe(true);
  });

  it('has the vectors of the layer', () => {
    const { tensor } = ask(BATCH);
    const vectors = vectorsAt(options.steps - 1, BATCH);
    for (const name of PARAMETERS) {
      expect(tensor(name)).toEqual([...(vectors[name] ?? [])].map(Math.fround));
    }
    expect(ask(LAYER).tensor('runningMean')).toHaveLength(0);
  });

  it.each([
    ['the samples of the step', 40, 8],
    ['the rows of a covariance of fewer', 4, 4],
  ])(
    'says what a deep capture says about its features, with floors for %s',
    (_, covarianceRows, n) => {
      const fresh = syntheticStore(options);
      expect(ask(LAYER, undefined, fresh).body.deep).toBeNull();
      const kept = fresh.get(runId('synthetic'));
      const parser = new AgentFrameParser();
      for (const body of [run.hello, run.layout]) parser.parse(decodeBlob(encodeBlob(body)));
      const frame = parser.parse(
        decodeBlob(
          encodeBlob(
            {
              kind: 'deep',
              layer: layerId(LAYER),
              step: 24,
              features: 5,
              taps: ['pre', 'gradPre'],
            } as const,
            {
              'pre.mean': new Float32Array(5),
              'pre.covariance': Float32Array.from({ length: 25 }, (_, at) =>
                at % 6 === 0 ? 2 : 0,
              ),
              'pre.covarianceRows': Uint32Array.of(covarianceRows),
            },
          ),
        ),
      );
      if (!frame || !kept) throw new Error('The frame was not taken.');
      fresh.accept(kept, frame);
      const { deep } = ask(LAYER, undefined, fresh).body;
      expect(deep?.step).toBe(24);
      expect(deep?.taps[0]).toMatchObject({ tap: 'pre', meanCorrelation: 0, rows: 0 });
      near(deep?.taps[0]?.participationRatio, 5);
      near(deep?.taps[0]?.participationFloor, 5 / (1 + 5 / n));
      near(deep?.taps[0]?.correlationFloor, Math.sqrt(2 / (Math.PI * n)));
      expect(deep?.taps[1]).toMatchObject({ tap: 'gradPre', participationRatio: null });
    },
  );
});
