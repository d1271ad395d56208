import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Collector } from './harness/collector';
import { FLAVOURS, Workshop, type Flavour } from './harness/programs';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const LARGE = 80_000;
const MOST = 1_000;

type Texts = Readonly<Record<string, string>>;

interface Shown {
  readonly shown: Texts;
  readonly leaked: number;
  readonly bytes: number;
}

interface Output {
  readonly outside: Shown;
  readonly inside: Shown;
  readonly taped: number;
  readonly gradient: readonly number[];
}

let workshop: Workshop;
let collector: Collector;
beforeAll(async () => {
  workshop = await Workshop.open();
  collector = await Collector.start();
});
afterAll(async () => {
  await collector.close();
  await workshop.close();
});

async function run(flavour: Flavour, language = 'en'): Promise<Output> {
  const env = { NORMSCOPE_TENSORS: JSON.stringify({ maxElements: MOST, language }) };
  const args = [String(LARGE)];
  const { code, stdout, stderr } = await workshop.run('texts.cjs', {
    flavour,
    collector,
    args,
    env,
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Output;
}

const wave = (size: number) =>
  Array.from({ length: size }, (_, i) => Math.fround(Math.sin(i * 1.7) + 0.5));

/** Mean and deviation with three digits, by the formula of powers instead of two passes. */
function momentsText(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value) / values.length;
  const power = values.reduce((sum, value) => sum + value * value, 0) / values.length;
  const digits = (value: number) => String(Number(value.toPrecision(3)));
  return `μ ${digits(mean)} σ ${digits(Math.sqrt(power - mean * mean))}`;
}

describe.each(FLAVOURS)('texts of tensors on %s', (flavour) => {
  it('say shape, moments, range, distribution and what is not finite', async () => {
    const { shown } = (await run(flavour)).outside;
    const moments = momentsText(wave(128));
    const matrix = new RegExp(
      `^float32\\[16, 8\\] · ${moments} · −0\\.5 … 1\\.5 [▁▂▃▄▅▆▇█]{7} · NaN 0 · dead 0/8$`,
    );
    expect(shown['matrix']).toMatch(matrix);
    expect(shown['made']).toBe(shown['matrix']);
    expect(shown['variable']).toBe(
      shown['matrix']?.replace(']', '] Variable').replace(' · dead 0/8', ''),
    );
    // Of 1, 2, 3, 4.
    expect(shown['broken']).toBe('float32[8] · μ 2.5 σ 1.12 · 1 … 4 █▁█▁█▁█ · NaN 2 · Inf 2');
    expect(shown['dead']).toMatch(/ · NaN 0 · dead 1\/4$/);
    // As numpy has them: mean 6.2857, deviation 3.3685.
    expect(shown['whole']).toBe('int32[7] · μ 6.29 σ 3.37 · −1 … 10 ▅▁▁▅▅██');
    expect(shown['constant']).toBe('float32[10] · μ 3 σ 0 · 3 … 3 · NaN 0');
  });

  it('show the values of few elements', async () => {
    const { shown } = (await run(flavour)).outside;
    expect(shown).toMatchObject({
      few: 'float32[2, 2] · 1, −0.5, 1235, 1e−5',
      scalar: 'float32[] · 0.25',
      flag: 'bool[] · True',
      complex: 'complex64[3] · 3+4j, 0+0j, 0−2j',
    });
  });

  it('say what can not be shown', async () => {
    const { shown } = (await run(flavour)).outside;
    expect(shown).toMatchObject({
      empty: 'float32[0, 3] · empty',
      words: 'string[2] · values not read (not numbers)',
      disposed: 'float32[2, 3] · no data (disposed)',
      flags: 'bool[7] · True 4/7',
      prototype: 'Tensor',
    });
    // 5, 0, 2, 0, 10, 0, 0: as numpy has them.
    expect(shown['magnitudes']).toMatch(
      /^complex64\[7\] · \|z\| μ 2\.43 σ 3\.54 · 0 … 10 [▁▂▃▄▅▆▇█]{7} · NaN 0$/,
    );
  });

  it('are of a sample of the settings’ size for larger tensors, and say so', async () => {
    const { shown } = (await run(flavour)).outside;
    for (const name of ['large', 'largeMade']) {
      expect(shown[name]).toMatch(
        /^float32\[10000, 8\] · μ 0\.[45]\d* σ 0\.7\d* · .* · from [\d,]+ of 80,000$/,
      );
      const read = Number(/from ([\d,]+) of/.exec(shown[name] ?? '')?.[1]?.replace(',', ''));
      expect(read).toBeGreaterThan(MOST * 0.9);
      expect(read).toBeLessThanOrEqual(MOST);
    }
    expect(shown['large']).toBe(shown['largeMade']);
    const [, last] = / … ([\d]+) /.exec(shown['largeWhole'] ?? '') ?? [];
    expect(Number(last)).toBeGreaterThan(LARGE * 0.99);
  });

  it('make no tensor that the program sees, record nothing and change no gradient', async () => {
    const { outside, inside, taped, gradient } = await run(flavour);
    expect(outside).toMatchObject({ leaked: 0, bytes: 0 });
    expect(inside).toMatchObject({ leaked: 0, bytes: 0 });
    expect(inside.shown).toEqual(outside.shown);
    expect(taped).toBe(0);
    expect(gradient).toEqual([2, 4, 6]);
  });

  it('are in Chinese where VS Code is', async () => {
    const { shown } = (await run(flavour, 'zh-cn')).outside;
    expect(shown['disposed']).toBe('float32[2, 3] · 无数据（已释放）');
    expect(shown['large']).toMatch(/ · 取自 80,000 中的 [\d,]+ 个$/);
  });
});
