import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', '**/dist/**', '**/*.scale.test.ts', '**/*.e2e.test.ts'];
const processes = '**/*.flow.test.ts';
/** What node has compiled for one program that a test file starts it need not compile for the next. */
const env = { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/placard-compiled', import.meta.url)) };
/** Vite would load another build of this package than its dependants do, and the engine refuses a schema of another build. */
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] };
const shared = {
  env,
  pool: 'forks',
  setupFiles: 'test/support/property-seed.ts',
  // Bounds what hangs. On a machine that does much else, a test of some seconds takes a minute.
  testTimeout: 120_000,
  hookTimeout: 240_000,
  teardownTimeout: 30_000,
  expect: { poll: { timeout: 100_000 } },
  restoreMocks: true,
} as const;

/**
 * `npm test`: everything that needs no service from outside. Scale and end-to-end tests have configurations of their own.
 * Projects begin in the order of their names: files that start processes first, so that none of them is left for the end.
 */
export default defineConfig({
  test: {
    // One more than the cores of a small machine: tests of whole processes wait for starts, disks and clocks.
    maxWorkers: 3,
    // Here and not in the projects, so that they share the stores of a run. Each is started when a file first asks for it.
    globalSetup: ['./test/support/global-setup.ts', './test/conformance/support/global-setup.ts'],
    projects: [
      {
        resolve,
        test: {
          ...shared,
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts', 'test/attacks/**/*.test.ts'],
          exclude,
        },
      },
      { resolve, test: { ...shared, name: 'flow', include: [processes], exclude } },
      {
        resolve,
        test: {
          ...shared,
          name: 'modules',
          include: [
            'src/**/*.test.ts',
            'test/*.test.ts',
            'test/simulation/**/*.test.ts',
            'sdk/**/*.test.ts',
            'console/**/*.test.{ts,tsx}',
          ],
          exclude: [...exclude, processes],
          setupFiles: [shared.setupFiles, 'console/src/messages/english.setup.ts'],
          // A worker loads the program's modules once, not again for each file: a third of the time of these files.
          isolate: false,
        },
      },
    ],
  },
});
