import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const storesSetup = './test/support/global-setup.ts';

/** `npm test`: everything that needs no service from outside. Scale and end-to-end tests have configurations of their own. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'sdk/**/*.test.ts', 'console/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.scale.test.ts', '**/*.e2e.test.ts'],
    globalSetup: existsSync(new URL(storesSetup, import.meta.url)) ? [storesSetup] : [],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    restoreMocks: true,
  },
});
