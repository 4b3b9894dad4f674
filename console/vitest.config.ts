import { defineConfig } from 'vitest/config';

/** The console's own tests alone, without the stores that the whole suite starts: `npx vitest run --config console/vitest.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: 'src/messages/english.setup.ts',
    pool: 'threads',
    maxWorkers: 1,
    // Bounds a test that hangs. On a busy machine, a test of some seconds takes a minute.
    testTimeout: 120_000,
  },
});
