import { defineConfig } from 'vitest/config';

/** The part of `npm run check` that reads the source: modules, sizes, one home for SQL, environment variables, log events, contract versions. Starts no store. */
export const checkTests = [
  'test/boundaries.test.ts',
  'test/walks.test.ts',
  'test/log-events.test.ts',
  'src/management/schema/contract-versions.test.ts',
];

export default defineConfig({
  test: {
    include: checkTests,
    pool: 'threads',
    maxWorkers: 1,
    // What one file has read and parsed, the next one need not.
    isolate: false,
    testTimeout: 20_000,
  },
});
