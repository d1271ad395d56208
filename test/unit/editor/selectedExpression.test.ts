import { describe, expect, it } from 'vitest';
import { isPlainContainer } from '../../../extension/core/editor/expressionReading';
import {
  isTensorText,
  nameAt,
  selectedExpression,
} from '../../../extension/core/editor/selectedExpression';

describe('a selected expression', () => {
  it('is taken in one line, unless it is nothing or too long to be meant', () => {
    expect(selectedExpression(' x[\n    0\n] ')?.text).toBe('x[ 0 ]');
    expect(selectedExpression('  \n ')).toBeUndefined();
    expect(selectedExpression('x'.repeat(1_001))).toBeUndefined();
  });

  it.each([
    'model(x)',
    'x.square ()',
    'f[0](x)',
    'f(x)(y)',
    '(y := x)',
    'await x',
    "'a'.join (x)",
    'x[i]',
    'x[f(0)]',
    'x[0][i]',
    '(x - y)[0]',
    '(x).y[0]',
    "f'{x}'",
    '[a, b][0]',
    '[y for y in x]',
    'x if f(a) else y',
    'x; y',
    'lambda: x',
    'batch in loader',
    '[*loader]',
    '*loader,',
    'f(**x)',
    '[1for*x,in g]',
  ])('runs code of the program: %s', (text) => {
    expect(selectedExpression(text)?.runsCode).toBe(true);
  });

  it.each([
    'x',
    'self.norm.weight',
    '(x - y) * (z + 1)',
    'x if (a) else (y)',
    '-(x)',
    'x @ y.T',
    '2 * x',
    '1e-3 * x + 0.5 - 1_000',
    'x ** 2',
  ])('only reads: %s', (text) => {
    expect(selectedExpression(text)).toEqual({ text, runsCode: false, indexed: [] });
  });

  it.each([
    ['dataset[0]', ['dataset']],
    ['x[0, :, -2]', ['x']],
    ['x[..., None, 1:3]', ['x']],
    ["batch['x'].grad[1]", ['batch', "batch['x'].grad"]],
    ['rows[0][1]', ['rows', 'rows[0]']],
    ['x[0] - self.y[1]', ['x', 'self.y']],
    ['(x[0] + 1)', ['x']],
    ['[a, b[0]]', ['b']],
  ])('runs code where what is indexed is no plain container: %s', (text, indexed) => {
    expect(selectedExpression(text)).toEqual({ text, runsCode: false, indexed });
  });

  it.each(['x', 'this.norm.gamma', '$x.y', 'a?.b', 'this.#inner'])(
    'of JavaScript only reads members: %s',
    (text) => {
      expect(selectedExpression(text, 'javascript')?.runsCode).toBe(false);
    },
  );

  it.each(['x[0]', 'f(x)', 'x.y()', 'x = 1', 'x++', 'x`y`', 'new X'])(
    'of JavaScript runs code: %s',
    (text) => {
      expect(selectedExpression(text, 'javascript')?.runsCode).toBe(true);
    },
  );
});

describe('what is indexed', () => {
  it.each([
    'builtins.list',
    'builtins.dict',
    'torch.Tensor',
    'numpy.ndarray',
    'jaxlib._jax.ArrayImpl',
  ])('is a plain container or a tensor: %s', (name) => {
    expect(isPlainContainer(name)).toBe(true);
  });

  it.each(['__main__.list', 'collections.defaultdict', 'torch.utils.data.dataset.Dataset', ''])(
    'may do anything: %s',
    (name) => {
      expect(isPlainContainer(name)).toBe(false);
    },
  );
});

describe('the name at the cursor', () => {
  it.each([
    ['y = self.norm.weight', 4, 'self'],
    ['y = self.norm.weight', 8, 'self'],
    ['y = self.norm.weight', 10, 'self.norm'],
    ['y = self.norm.weight', 20, 'self.norm.weight'],
    ['y = 1 + x', 9, 'x'],
  ])('in %j at %i is %s', (line, column, name) => {
    expect(nameAt(line, column)).toEqual({ text: name, runsCode: false, indexed: [] });
  });

  it('is none between names', () => {
    expect(nameAt('y  =  x', 3)).toBeUndefined();
  });
});

describe('the text of a tensor', () => {
  it('begins with its dtype and shape', () => {
    expect(isTensorText('float32[8, 64, 4] cpu · μ 2.5 σ 2.65')).toBe(true);
    expect(isTensorText('bfloat16[] cpu · 3')).toBe(true);
    expect(isTensorText('complex64[3]')).toBe(true);
  });

  it.each(['[1, 2]', "'float32[3]'", '3', 'Linear(in=6)', 'x[0]y', '{}', ''])(
    'is not that of %s',
    (text) => {
      expect(isTensorText(text)).toBe(false);
    },
  );
});
