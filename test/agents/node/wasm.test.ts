import { describe, expect, it } from 'vitest';
import {
  doWhile,
  f32x4,
  f64x2,
  i32,
  i32x4,
  Locals,
  moduleOf,
  upperHalf,
  v128,
  type Code,
} from '../../../extension/agents/node/wasm';

const locals = new Locals(
  { at: 'i32', end: 'i32', number: 'f64' },
  { next: 'i32', vector: 'v128' },
);

/** Runs a function on a memory of two pages that begins with these float32, and returns it. */
function run(body: Code, begin: readonly number[], at = 0, end = 0, number = 0): ArrayBuffer {
  const module = new WebAssembly.Module(moduleOf(locals, body, 2));
  const { run: code, memory } = new WebAssembly.Instance(module).exports;
  if (typeof code !== 'function' || !(memory instanceof WebAssembly.Memory)) throw new Error();
  new Float32Array(memory.buffer).set(begin);
  (code as (...parameters: number[]) => void)(at, end, number);
  return memory.buffer;
}

const first = i32.constant(0);
const [a, b] = [v128.load(first), v128.load(first, 16)];
const stored = (value: Code) => v128.store(first, value, 32);

describe('a module that is written', () => {
  it.each([0, 16, 63, 64, 127, 128, 8191, 8192, 65_536, 131_056])(
    'has numbers of any length in its constants and offsets: %d',
    (address) => {
      const mark = f64x2.splat(locals.get('number'));
      const byConstant = run(v128.store(i32.constant(address), mark), [], 0, 0, 1.5);
      const byOffset = run(v128.store(first, mark, address), [], 0, 0, 1.5);
      for (const memory of [byConstant, byOffset]) {
        expect(new DataView(memory).getFloat64(address, true)).toBe(1.5);
      }
    },
  );

  it.each([-1, -63, -64, -65, -8192, -8193, -(2 ** 31)])('has constants below 0: %d', (value) => {
    const address = i32.add(i32.add(locals.get('at'), i32.constant(value)), locals.get('end'));
    const memory = run(v128.store(address, f32x4.splat(2)), [], 48, -value);
    expect(new Float32Array(memory, 48, 4)).toEqual(new Float32Array(4).fill(2));
  });

  it('has a memory of its own that does not grow', () => {
    const module = new WebAssembly.Module(moduleOf(locals, [], 2));
    const { memory } = new WebAssembly.Instance(module).exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new Error('There is no memory.');
    expect(memory.buffer.byteLength).toBe(2 * 65_536);
    expect(() => memory.grow(1)).toThrow(RangeError);
  });

  it('runs a loop once, and as long as its condition holds', () => {
    const body = [
      locals.set('next', locals.get('at')),
      doWhile(
        [
          v128.store(locals.get('next'), f32x4.splat(7)),
          locals.set('next', i32.add(locals.get('next'), i32.constant(16))),
        ].flat(),
        i32.lt(locals.get('next'), locals.get('end')),
      ),
    ].flat();
    const marked = (at: number, end: number) =>
      new Float32Array(run(body, [], at, end)).filter((value) => value === 7).length;
    expect([marked(16, 64), marked(16, 65), marked(16, 0)]).toEqual([12, 16, 4]);
  });
});

describe('instructions', () => {
  const floats = (value: Code, begin: readonly number[]) => [
    ...new Float32Array(run(stored(value), begin), 32, 4),
  ];
  const doubles = (value: Code, begin: readonly number[]) => [
    ...new Float64Array(run(stored(value), begin, 0, 0, 0.5), 32, 2),
  ];
  const numbers = [1, -2, 3, 2 ** -149, 5, 4, -3, 0];

  it('compare float32', () => {
    const ones = (value: Code, begin: readonly number[]) => [
      ...new Int32Array(run(stored(value), begin), 32, 4),
    ];
    expect(ones(f32x4.lt(a, b), numbers)).toEqual([-1, -1, 0, 0]);
    expect(ones(f32x4.eq(a, b), [1, 0, NaN, 2, 1, -0, NaN, 3])).toEqual([-1, -1, 0, 0]);
    expect(ones(i32x4.sub(f32x4.eq(a, a), f32x4.lt(a, b)), numbers)).toEqual([0, 0, -1, -1]);
    expect(floats(f32x4.abs(a), numbers)).toEqual([1, 2, 3, 2 ** -149]);
  });

  it('take the smaller and the larger, and leave what NaN is compared with', () => {
    expect(floats(f32x4.pmin(a, b), numbers)).toEqual([1, -2, -3, 0]);
    expect(floats(f32x4.pmax(a, b), numbers)).toEqual([5, 4, 3, 2 ** -149]);
    const withNaN = [1, 2, 3, 4, NaN, NaN, -Infinity, Infinity];
    expect(floats(f32x4.pmin(a, b), withNaN)).toEqual([1, 2, -Infinity, 4]);
    expect(floats(f32x4.pmax(a, b), withNaN)).toEqual([1, 2, 3, Infinity]);
  });

  it('calculate in float64', () => {
    const half = f64x2.splat(locals.get('number'));
    expect(doubles(f64x2.promoteLow(a), numbers)).toEqual([1, -2]);
    expect(doubles(f64x2.promoteLow(upperHalf(a)), numbers)).toEqual([3, 2 ** -149]);
    expect(doubles(f64x2.add(f64x2.promoteLow(a), half), numbers)).toEqual([1.5, -1.5]);
    expect(doubles(f64x2.sub(half, f64x2.promoteLow(a)), numbers)).toEqual([-0.5, 2.5]);
    expect(doubles(f64x2.mul(half, f64x2.promoteLow(b)), numbers)).toEqual([2.5, 2]);
    expect(doubles(f64x2.zero, numbers)).toEqual([0, 0]);
  });
});
