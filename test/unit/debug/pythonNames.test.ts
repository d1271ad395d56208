import { describe, expect, test } from 'vitest';
import { functionStart, pythonNames } from '../../../extension/core/pythonNames';

const namesOf = (...lines: string[]) => pythonNames(lines).map(({ name }) => name);

describe('names in Python code', () => {
  test('are found where values stand, with their place', () => {
    expect(pythonNames(['y = self.norm.weight + x'])).toEqual([
      { name: 'y', line: 0, start: 0, end: 1 },
      { name: 'self.norm.weight', line: 0, start: 4, end: 20 },
      { name: 'x', line: 0, start: 23, end: 24 },
    ]);
  });

  test('are neither keywords nor called nor those of imports and definitions', () => {
    expect(namesOf('for x in loader:', 'return model(x)', 'import torch', 'def f(a):')).toEqual([
      'x',
      'loader',
      'x',
    ]);
  });

  test('are not looked for in strings, comments and numbers', () => {
    const lines = ['a = \'b\' + "c \\" d" # e', "f = r'''g", 'h', "''' + i", '1e5 + 0xff + j'];
    expect(namesOf(...lines)).toEqual(['a', 'f', 'i', 'j']);
  });

  test('go on after a string that is not closed in its line', () => {
    expect(namesOf("a = 'b", 'c = 1')).toEqual(['a', 'c']);
  });

  test('may be of any script', () => {
    expect(namesOf('größe = 权重.梯度')).toEqual(['größe', '权重.梯度']);
  });
});

describe('the function that a line lies in', () => {
  const lines = [
    'import torch',
    'def first(x):',
    '    y = x',
    '    return y',
    '',
    'class Net:',
    '    def forward(self, x):',
    '        if x:',
    '            # comment',
    '            z = x',
    'total = 0',
  ];
  const start = (line: number) => functionStart((at) => lines[at] ?? '', line);

  test.each([
    [2, 1],
    [3, 1],
    [9, 6],
    [6, 6],
    [10, 0],
  ])('of line %i begins at line %i', (line, expected) => {
    expect(start(line)).toBe(expected);
  });
});
