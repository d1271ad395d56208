import { describe, expect, it } from 'vitest';
import { BIN_COUNT, binEdges, binOf } from '../../../extension/protocol/bitBins';
import { seeded } from '../../fixtures/syntheticRun';

/** Sign, exponent and three mantissa bits, by arithmetic instead of by bits. */
function binByArithmetic(value: number): number {
  const magnitude = Math.abs(value);
  const exponent = Math.max(-126, Math.floor(Math.log2(magnitude)));
  const eighths = Math.floor((magnitude / 2 ** exponent) * 8);
  const biased = eighths >= 8 ? exponent + 127 : 0;
  return (value < 0 ? BIN_COUNT / 2 : 0) + biased * 8 + (eighths % 8);
}

describe('bit bins', () => {
  it('agree with sign, exponent and mantissa computed by arithmetic', () => {
    const random = seeded(3);
    for (let i = 0; i < 5000; i++) {
      const magnitude = (1 + random()) * 2 ** Math.floor(random() * 250 - 125);
      const value = Math.fround(random() < 0.5 ? -magnitude : magnitude);
      expect(binOf(value)).toBe(binByArithmetic(value));
    }
  });

  it('hold subnormal values', () => {
    for (const value of [2 ** -149, 2 ** -130, -(2 ** -127), 1.9 * 2 ** -127]) {
      expect(binOf(value)).toBe(binByArithmetic(Math.fround(value)));
    }
  });

  it('lie between their edges, which touch without gaps over the whole axis', () => {
    const finite = Array.from({ length: 255 * 8 }, (_, bin) => bin);
    for (const bin of finite) {
      const [lower, upper] = binEdges(bin);
      expect(upper).toBeGreaterThan(lower);
      expect(binEdges(bin + 2048)).toEqual([-upper, -lower === 0 ? -0 : -lower]);
      if (bin > 0) expect(binEdges(bin - 1)[1]).toBe(lower);
      if (lower > 0) expect(binOf(lower)).toBe(bin);
    }
    expect(binEdges(255 * 8 - 1)[1]).toBe(2 ** 128);
  });
});
