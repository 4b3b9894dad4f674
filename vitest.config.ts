import { fileURLToPath } from 'node:url';
import { defineConfig, type TestUserConfig } from 'vitest/config';
import { checkTests } from './vitest.check.config.ts';
import { listStoreTests } from './test/support/run/store-tests.ts';
import { treeSeed } from './test/support/run/tree-seed.ts';

/** Tests with configurations of their own: `npm run test:e2e`, `test:scale`, `test:sdks` and `test:long`. */
const others = ['**/*.e2e.test.*', '**/*.{scale,sdks,flow,long}.test.ts'];
const exclude = ['**/node_modules/**', '**/dist/**', ...others];
const storeTests = listStoreTests(['src', 'test', 'sdk', 'console/src']);
const conformance = ['test/conformance/**/*.test.ts', 'test/attacks/**/*.test.ts'];
export const environment = {
  PROPERTY_SEED: treeSeed(),
  // What node has compiled for one program that a test file starts it need not compile for the next.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/placard-compiled', import.meta.url)),
};
/** Vite would load another build of this package than its dependants do, and the engine refuses a schema of another build. */
export const graphqlOnce = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] };
/** What the configurations of tests have in common. */
export const limits = {
  pool: 'forks',
  setupFiles: [
    'test/support/run/file-cost.setup.ts',
    'test/support/property-seed.ts',
    'console/src/messages/english.setup.ts',
  ],
  // Bounds what hangs. On a machine that does much else, a test of some seconds takes a minute.
  testTimeout: 120_000,
  hookTimeout: 240_000,
  teardownTimeout: 30_000,
  expect: { poll: { timeout: 100_000 } },
  restoreMocks: true,
} satisfies TestUserConfig;
const shared = {
  ...limits,
  env: environment,
  // A worker loads the program's modules once, not again for each file.
  isolate: false,
} as const;

/**
 * `npm test`: pure modules (`npm run test:unit`: the projects "unit" and "unit console"), modules on the run's stores, and the interface on a
 * service that all its files share.
 */
export default defineConfig({
  test: {
    reporters: ['default', './test/support/run/cost-reporter.ts'],
    // One more than the cores of a small machine: tests that use stores or a service wait for them.
    maxWorkers: 3,
    // Here and not in the projects, so that they share the stores of a run. Each is started when a file first asks for it.
    globalSetup: ['./test/support/global-setup.ts', './test/conformance/support/global-setup.ts'],
    projects: [
      {
        resolve: graphqlOnce,
        test: {
          ...shared,
          name: 'conformance',
          include: conformance,
          exclude,
        },
      },
      {
        resolve: graphqlOnce,
        test: { ...shared, name: 'stores', include: storeTests, exclude: [...exclude, ...conformance] },
      },
      {
        resolve: graphqlOnce,
        test: {
          ...shared,
          name: 'unit',
          include: ['{src,test}/**/*.test.ts'],
          exclude: [...exclude, ...conformance, ...storeTests, ...checkTests],
        },
      },
      {
        resolve: graphqlOnce,
        test: {
          ...shared,
          // In workers of its own: its tests fake timers, which would drive timers that tests of the server have left.
          name: 'unit console',
          include: ['{console,packages,sdk}/**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...storeTests],
        },
      },
    ],
  },
});
