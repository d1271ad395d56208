import { interpolateMagma } from 'd3-scale-chromatic';
import { expect, it } from 'vitest';
import { magma } from '../../../webview/theme/magma';

it('is magma, as nearly as an eye can tell', () => {
  let furthest = 0;
  for (let i = 0; i <= 1_000; i++) {
    const exact = interpolateMagma(i / 1_000);
    magma(i / 1_000).forEach((channel, at) => {
      const right = Number.parseInt(exact.slice(1 + 2 * at, 3 + 2 * at), 16);
      furthest = Math.max(furthest, Math.abs(channel - right));
    });
  }
  expect(furthest).toBeLessThanOrEqual(4);
  expect(magma(0)).toEqual([0, 0, 4]);
  expect(magma(1)).toEqual([252, 253, 191]);
});
