import { defineConfig } from 'vitest/config';

export default defineConfig({
  cacheDir: '../../.cache/vite-dap',
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['./bundleServer.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Each file starts real debuggers; more at once only slow each other down.
    maxWorkers: 2,
    minWorkers: 1,
  },
});
