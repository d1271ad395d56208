import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that need a browser: the panel alone, and the panel in a whole VS Code. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  resolve: {
    alias: { vscode: path.resolve(import.meta.dirname, 'panel/harness/vscodeShim.ts') },
  },
  test: {
    environment: 'node',
    include: ['test/ui/**/*.test.ts'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    // One browser at a time: the tests wait for drawings, and small machines have two cores.
    fileParallelism: false,
  },
});
