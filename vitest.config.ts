import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/unit/**/*.test.ts', 'test/agents/node/**/*.test.ts'],
    testTimeout: 20_000,
  },
});
