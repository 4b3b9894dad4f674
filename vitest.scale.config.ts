import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { defineConfig } from 'vitest/config';

const storesSetup = './test/support/global-setup.ts';
const postgresUser = userInfo().username === 'root' ? 'root' : 'postgres';

/** `npm run test:scale`: the same bodies against a PostgreSQL and a Redis that run outside of Placard. */
export default defineConfig({
  test: {
    include: ['src/**/*.scale.test.ts', 'test/**/*.scale.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: existsSync(new URL(storesSetup, import.meta.url)) ? [storesSetup] : [],
    env: {
      PLACARD_TEST_POSTGRES_URL:
        process.env['PLACARD_TEST_POSTGRES_URL'] ?? `postgres://${postgresUser}@127.0.0.1:5432/postgres`,
      PLACARD_TEST_REDIS_URL: process.env['PLACARD_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
    },
    reporters: ['default', './test/support/run/cost-reporter.ts'],
    setupFiles: ['./test/support/run/file-cost.setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    expect: { poll: { timeout: 100_000 } },
    testTimeout: 180_000,
    hookTimeout: 240_000,
    passWithNoTests: true,
  },
});
