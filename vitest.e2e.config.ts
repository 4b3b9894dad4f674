import { defineConfig } from 'vitest/config';

/** `npm run test:e2e`: a browser (Chromium) against a whole `placard serve`, one file at a time. */
export default defineConfig({
  test: {
    include: ['test/**/*.e2e.test.ts', 'console/**/*.e2e.test.ts', 'sdk/**/*.e2e.test.ts'],
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    passWithNoTests: true,
  },
});
