import { isVariable, type TensorLike } from '../tfjs';
import { elementsOf, figuresOf, type Figures } from './figures';
import { countText, floatText, shapeText, spark, wholeText } from './notation';
import type { TextOptions } from './options';
import { readValues } from './values';
import { wordIn, type Word } from './words';

/** Tensors of so few elements show these. */
const FEW = 6;
/** Fewer positions of a feature with one value prove nothing. */
const FEWEST_POSITIONS = 8;
const MOST_AXES = 5;
const SEPARATOR = ' · ';

const isFloating = ({ dtype }: TensorLike) => dtype === 'float32' || dtype === 'complex64';

/** Length of the last axis, along which TF.js lays features; 0 where too little is there to tell. */
function featuresOf(tensor: TensorLike): number {
  const { shape, size } = tensor;
  const features = shape.at(-1) ?? 0;
  const told = shape.length >= 2 && shape.length <= MOST_AXES && features >= 2;
  const enough = size / features >= FEWEST_POSITIONS;
  return told && enough && isFloating(tensor) && !isVariable(tensor) ? features : 0;
}

function fewText(
  tensor: TensorLike,
  values: ArrayLike<number>,
  elements: ArrayLike<number>,
): string {
  const texts = Array.from({ length: tensor.size }, (_, at) => {
    if (tensor.dtype === 'bool') return values[at] ? 'True' : 'False';
    if (tensor.dtype === 'complex64') return complexText(values[2 * at], values[2 * at + 1]);
    return isFloating(tensor) ? floatText(Number(elements[at])) : wholeText(Number(elements[at]));
  });
  return texts.join(', ');
}

function complexText(real = NaN, imaginary = NaN): string {
  const negative = imaginary < 0 || Object.is(imaginary, -0);
  return `${floatText(real)}${negative ? '−' : '+'}${floatText(Math.abs(imaginary))}j`;
}

function figuresText(tensor: TensorLike, f: Figures, features: number, of: TextOptions): string[] {
  const parts: string[] = [];
  const floating = isFloating(tensor);
  if (tensor.dtype === 'bool') {
    const yes = Math.round(f.mean * f.finite);
    parts.push(`True ${countText(yes)}/${countText(f.finite)}`);
  } else if (f.finite > 0) {
    const extreme = floating ? floatText : wholeText;
    const name = tensor.dtype === 'complex64' ? '|z| ' : '';
    parts.push(`${name}μ ${floatText(f.mean)} σ ${floatText(f.deviation)}`);
    parts.push(`${extreme(f.low)} … ${extreme(f.high)} ${spark(f.bins)}`.trimEnd());
  }
  if (floating) {
    parts.push(`NaN ${countText(f.nan)}`);
    if (f.infinite > 0) parts.push(`Inf ${countText(f.infinite)}`);
  }
  if (f.dead !== null)
    parts.push(wordIn(of, 'dead {0}/{1}', countText(f.dead), countText(features)));
  return parts;
}

/** What comes behind the shape. */
function bodyOf(engine: unknown, tensor: TensorLike, most: number, options: TextOptions): string[] {
  const { dtype, size } = tensor;
  const word = (english: Word, ...args: string[]) => wordIn(options, english, ...args);
  if (tensor.isDisposed === true) return [word('no data ({0})', word('disposed'))];
  if (size === 0) return [word('empty')];
  const read = readValues(engine, tensor, most);
  if (typeof read === 'string') return [word('values not read ({0})', word(read))];
  const elements = elementsOf(read.values, read.step, dtype === 'complex64');
  if (size <= FEW) return [fewText(tensor, read.values, elements)];
  const features = read.sampled ? 0 : featuresOf(tensor);
  const figures = figuresOf(elements, features);
  const parts = figuresText(tensor, figures, features, options);
  if (read.sampled) parts.push(word('from {0} of {1}', countText(figures.read), countText(size)));
  return parts;
}

/**
 * A tensor in one line, shape first, such as
 * `float32[16, 256] · μ 0.01 σ 1.02 · −4.1 … 4.3 ▁▂▅█▅▂▁ · NaN 0`; a variable's says so.
 * @param most elements to read at most.
 */
export function tensorText(
  engine: unknown,
  tensor: TensorLike,
  most: number,
  options: TextOptions,
): string {
  const kind = isVariable(tensor) ? ' Variable' : '';
  const head = `${tensor.dtype}${shapeText(tensor.shape)}${kind}`;
  let body: string[];
  try {
    body = bodyOf(engine, tensor, most, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0]?.slice(0, 80) : '';
    body = [wordIn(options, 'values not read ({0})', reason ?? '')];
  }
  return [head, ...body].join(SEPARATOR);
}
