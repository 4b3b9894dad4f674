import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What node has compiled for one program need not be compiled for the next. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/placard-compiled', import.meta.url));

/**
 * `npm run test:e2e`: a browser (Chromium) against a whole `placard serve`: two files at a time, each with a server of its own on a copy of
 * one demo.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.e2e.test.ts', 'console/**/*.e2e.test.ts', 'sdk/**/*.e2e.test.ts'],
    exclude: ['**/node_modules/**'],
    env: { NODE_COMPILE_CACHE },
    globalSetup: './test/e2e/support/global-setup.ts',
    reporters: ['default', './test/support/run/cost-reporter.ts'],
    setupFiles: ['./test/support/run/file-cost.setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 600_000,
    passWithNoTests: true,
  },
});
