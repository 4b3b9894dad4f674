import { defineConfig } from 'vitest/config';

/** `npm run test:sdks`: the packages of `sdk/` packed, installed into empty folders, and tried there on several runtimes and compilers. */
export default defineConfig({
  test: {
    include: ['test/sdks/**/*.sdks.test.ts'],
    exclude: ['**/node_modules/**'],
    reporters: ['default', './test/support/run/cost-reporter.ts'],
    setupFiles: ['./test/support/run/file-cost.setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
