import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../scripts/vectors/report';
import { runVectors } from '../../../scripts/vectors/run';
import { oneRow, withVectors } from '../../unit/vectors/vectorFolder';

describe('vectors in the agents', () => {
  it.each(['python', 'tfjs'] as const)(
    'run through a real %s program, and a wrong number fails',
    async (engine) => {
      const wrong = oneRow({ y: [[[-1.2247, 1.2251, 0]]] });
      const files = { 'right.json': oneRow(), 'wrong.json': wrong };
      const all = await withVectors(files, (folder) => runVectors(folder, [engine]));
      const [right, other] = all.map(({ outcomes }) => outcomes[engine][0]);
      expect(right?.failures).toEqual([]);
      expect(right?.worst).toBeLessThan(1e-6);
      expect(other?.failures.join()).toMatch(/post/);
      expect(other?.failures.join()).not.toMatch(/pre |gradPost|gradPre/);
      expect(reportOf(all)).toMatchObject({ cases: 2, failed: 1 });
    },
    120_000,
  );
});
