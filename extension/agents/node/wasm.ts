/**
 * Writes WebAssembly modules of one function: as much of the binary format as a loop over memory
 * with vectors of 128 bits takes, with instructions as expressions. Written here because what the
 * agent loads into a program is one file without dependencies, and so that the instructions, not
 * the bytes that a compiler made of them elsewhere, are what is reviewed. The names are those of
 * https://webassembly.github.io/spec/core/binary/, where the numbers are from.
 */

/** Instructions, encoded. */
export type Code = readonly number[];

const TYPES = { i32: 0x7f, f64: 0x7c, v128: 0x7b };
const NO_RESULT = 0x40;
export type Type = keyof typeof TYPES;

/** Values below 0x80 are themselves; the others take seven bits a byte (LEB128). */
function unsigned(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >>> 7;
  return rest === 0 ? [low] : [low | 0x80, ...unsigned(rest)];
}

function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const done = rest === ((low & 0x40) === 0 ? 0 : -1);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}

const simd = (operation: number): Code => [0xfd, ...unsigned(operation)];
const unary = (operation: Code) => (a: Code) => [...a, ...operation];
const binary = (operation: Code) => (a: Code, b: Code) => [...a, ...b, ...operation];
const constant = (bytes: ArrayLike<number>): Code => [...simd(0x0c), ...Array.from(bytes)];

export const i32 = {
  constant: (value: number): Code => [0x41, ...signed(value)],
  add: binary([0x6a]),
  /** Signed less-than. */
  lt: binary([0x48]),
};

/** Comparisons give lanes of all ones, which are -1 as an i32, or of zeros. */
export const f32x4 = {
  splat: (value: number): Code => constant(new Uint8Array(new Float32Array(4).fill(value).buffer)),
  abs: unary(simd(0xe0)),
  eq: binary(simd(0x41)),
  lt: binary(simd(0x43)),
  /** b < a ? b : a, hence a where b is NaN. */
  pmin: binary(simd(0xea)),
  /** a < b ? b : a, hence a where b is NaN. */
  pmax: binary(simd(0xeb)),
};

export const i32x4 = { sub: binary(simd(0xb1)) };

export const f64x2 = {
  zero: constant(new Uint8Array(16)),
  splat: unary(simd(0x14)),
  add: binary(simd(0xf0)),
  sub: binary(simd(0xf1)),
  mul: binary(simd(0xf2)),
  /** Of the first two float32. */
  promoteLow: unary(simd(0x5f)),
};

/** The last eight bytes of a vector in the place of the first. */
export const upperHalf = (a: Code): Code => {
  const bytes = [8, 9, 10, 11, 12, 13, 14, 15];
  return [...a, ...a, ...simd(0x0d), ...bytes, ...bytes];
};

/** Base 2 logarithm of the alignment that loads and stores may count on. */
const ALIGNMENT = 2;

export const v128 = {
  load: (address: Code, offset = 0): Code => [
    ...address,
    ...simd(0x00),
    ...[ALIGNMENT, ...unsigned(offset)],
  ],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    ...simd(0x0b),
    ...[ALIGNMENT, ...unsigned(offset)],
  ],
};

/** Runs the body once, and again as long as the condition holds after it. */
export const doWhile = (body: Code, condition: Code): Code => [
  ...[0x03, NO_RESULT],
  ...body,
  ...condition,
  ...[0x0d, 0, 0x0b],
];

/** The parameters and variables of a function, by name. */
export class Locals<Parameter extends string, Variable extends string> {
  private readonly names: readonly string[];

  constructor(
    readonly parameters: Readonly<Record<Parameter, Type>>,
    readonly variables: Readonly<Record<Variable, Type>>,
  ) {
    this.names = [...Object.keys(parameters), ...Object.keys(variables)];
  }

  get(name: Parameter | Variable): Code {
    return [0x20, ...unsigned(this.names.indexOf(name))];
  }

  set(name: Parameter | Variable, value: Code): Code {
    return [...value, 0x21, ...unsigned(this.names.indexOf(name))];
  }
}

const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const sized = (content: Code): Code => [...unsigned(content.length), ...content];
const section = (id: number, content: Code): Code => [id, ...sized(content)];
const text = (value: string): Code => sized([...new TextEncoder().encode(value)]);
const typesOf = (types: Readonly<Record<string, Type>>): number[] =>
  Object.values(types).map((type) => TYPES[type]);

/**
 * A module that exports a memory, `memory`, and a function without result, `run`.
 * @param pages length of the memory in pages of 64 KiB; it never grows.
 */
export function moduleOf(
  { parameters, variables }: Locals<string, string>,
  body: Code,
  pages: number,
): Uint8Array<ArrayBuffer> {
  const signature = [0x60, ...sized(typesOf(parameters)), ...list([])];
  const variablesOneByOne = list(typesOf(variables).map((type) => [1, type]));
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([signature])),
    ...section(3, list([[0]])),
    ...section(5, list([[1, ...unsigned(pages), ...unsigned(pages)]])),
    ...section(
      7,
      list([
        [...text('memory'), 2, 0],
        [...text('run'), 0, 0],
      ]),
    ),
    ...section(10, list([sized([...variablesOneByOne, ...body, 0x0b])])),
  ]);
}
