import { defineConfig } from 'vitest/config';

/** The part of `npm run check` that reads the source: rooms, sizes, one home for SQL and environment variables. Starts no store. */
export default defineConfig({
  test: { include: ['test/boundaries.test.ts'], pool: 'threads', maxWorkers: 1, testTimeout: 20_000 },
});
