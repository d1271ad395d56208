import { describe, expect, it } from 'vitest';
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

  it.each(['model(x)', 'x.square ()', 'f[0](x)', 'f(x)(y)', '(y := x)', 'await x', "'a'.join (x)"])(
    'runs code of the program: %s',
    (text) => {
      expect(selectedExpression(text)?.runsCode).toBe(true);
    },
  );

  it.each([
    'x',
    'self.norm.weight',
    'x[0, :, 2]',
    '(x - y) * (z + 1)',
    'x if (a) else (y)',
    '-(x)',
  ])('only reads: %s', (text) => {
    expect(selectedExpression(text)?.runsCode).toBe(false);
  });
});

describe('the name at the cursor', () => {
  it.each([
    ['y = self.norm.weight', 4, 'self'],
    ['y = self.norm.weight', 8, 'self'],
    ['y = self.norm.weight', 10, 'self.norm'],
    ['y = self.norm.weight', 20, 'self.norm.weight'],
    ['y = 1 + x', 9, 'x'],
  ])('in %j at %i is %s', (line, column, name) => {
    expect(nameAt(line, column)).toEqual({ text: name, runsCode: false });
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
