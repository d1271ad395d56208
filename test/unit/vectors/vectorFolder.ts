import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Hands a folder of the given vector files to a function, and removes it. */
export async function withVectors<T>(
  files: Readonly<Record<string, unknown>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ns-vectors-'));
  try {
    for (const [name, body] of Object.entries(files)) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      await writeFile(join(folder, name), text);
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A LayerNorm with eps 0 on one row: of 1, 3 and 2 the variance is 2/3, so y is -√1.5, √1.5 and 0. */
export const oneRow = (change: Readonly<Record<string, unknown>> = {}) => ({
  cases: [
    {
      kind: 'layer_norm',
      layout: 'BSE',
      eps: 0,
      x: [[[1, 3, 2]]],
      g: [[[1, 0, 0]]],
      y: [[[-Math.sqrt(1.5), Math.sqrt(1.5), 0]]],
      dx: [[[Math.sqrt(1.5) / 6, Math.sqrt(1.5) / 6, -Math.sqrt(1.5) / 3]]],
      params: { gamma: [1, 1, 1], beta: [0, 0, 0] },
      dparams: { gamma: [-Math.sqrt(1.5), 0, 0], beta: [1, 0, 0] },
      ...change,
    },
  ],
});
