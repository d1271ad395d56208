import { describe, expect, it } from 'vitest';
import { NO_CONDITION, parseCondition } from '../../../extension/core/breakpoints/condition';
import { fitsPatterns } from '../../../extension/protocol/patterns';

describe('a condition', () => {
  it('may be empty', () => {
    for (const text of ['', '  ', ' ; ;']) {
      expect(parseCondition('drift', text)).toEqual({ condition: NO_CONDITION });
    }
  });

  it('holds words with a value each, in any order and case', () => {
    const text = 'Layers: encoder.*.norm?, head ; ABOVE=0.5;after: step 100; hits: 3';
    expect(parseCondition('drift', text)).toEqual({
      condition: {
        ...NO_CONDITION,
        layers: ['encoder.*.norm?', 'head'],
        above: 0.5,
        after: 100,
        hits: 3,
      },
    });
  });

  it('takes percent as a share, negative numbers and exponents', () => {
    expect(parseCondition('gradient', 'above: 40%; below: -1e-3').condition).toMatchObject({
      above: 0.4,
      below: -1e-3,
    });
  });

  it('names taps, kinds of values and rules', () => {
    const text = 'taps: gradPre, post; allow: -inf';
    expect(parseCondition('nonfinite', text).condition).toMatchObject({
      taps: ['gradPre', 'post'],
      allow: ['-inf'],
    });
    expect(parseCondition('rule', 'rules: drift, headroom').condition).toMatchObject({
      rules: ['drift', 'headroom'],
    });
  });

  it.each([
    ['drift', 'abov: 1', { kind: 'unknown-word', word: 'abov' }],
    ['nonfinite', 'above: 1', { kind: 'unknown-word', word: 'above' }],
    ['drift', 'above', { kind: 'no-value', word: 'above' }],
    ['drift', 'above: much', { kind: 'no-number', word: 'above', value: 'much' }],
    ['drift', 'above: Infinity', { kind: 'no-number', word: 'above' }],
    ['drift', 'hits: 1.5', { kind: 'no-number', word: 'hits' }],
    ['drift', 'after: -3', { kind: 'no-number', word: 'after' }],
    ['drift', 'above: 1; above: 2', { kind: 'twice', word: 'above' }],
    ['rule', 'taps: input', { kind: 'unknown-value', word: 'taps', value: 'input' }],
    ['rule', 'x'.repeat(1_001), { kind: 'too-long' }],
  ] as const)('of %s that reads "%s" says what is wrong', (filter, text, problem) => {
    expect(parseCondition(filter, text).problem).toMatchObject(problem);
  });
});

describe('patterns of layer names', () => {
  it.each([
    ['encoder.layers.3.norm1', 'encoder.*.norm?', true],
    ['encoder.layers.3.norm12', 'encoder.*.norm?', false],
    ['norm', '*', true],
    ['norm', 'norm', true],
    ['norm', 'Norm', false],
    ['a.b', 'a?b', true],
    ['aXb', 'a.b', false],
    ['abcbc', '*bc', true],
    ['', '*', true],
    ['', '?', false],
  ])('%s fits %s: %s', (name, pattern, fits) => {
    expect(fitsPatterns(name, [pattern])).toBe(fits);
  });

  it('of none fit every name, and of several one is enough', () => {
    expect(fitsPatterns('x', [])).toBe(true);
    expect(fitsPatterns('x', ['y', 'x'])).toBe(true);
  });

  it('with many stars take no long time', () => {
    expect(fitsPatterns('a'.repeat(4_000), [`${'*a'.repeat(400)}b`])).toBe(false);
  });
});
