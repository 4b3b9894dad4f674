import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', '**/dist/**', '**/*.scale.test.ts', '**/*.e2e.test.ts'];
/** What node has compiled for one program that a test file starts it need not compile for the next. */
const env = { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/placard-compiled', import.meta.url)) };
const shared = {
  env,
  pool: 'forks',
  // Bounds what hangs. On a machine that does much else, a test of some seconds takes a minute.
  testTimeout: 120_000,
  hookTimeout: 240_000,
  teardownTimeout: 30_000,
  expect: { poll: { timeout: 30_000 } },
  restoreMocks: true,
} as const;

/** `npm test`: everything that needs no service from outside. Scale and end-to-end tests have configurations of their own. */
export default defineConfig({
  test: {
    // One more than the cores of a small machine: tests of whole processes wait for starts, disks and clocks.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: 'modules',
          include: [
            'src/**/*.test.ts',
            'test/*.test.ts',
            'test/flow/**/*.test.ts',
            'test/simulation/**/*.test.ts',
            'sdk/**/*.test.ts',
            'console/**/*.test.{ts,tsx}',
          ],
          exclude,
          globalSetup: ['./test/support/global-setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts', 'test/attacks/**/*.test.ts'],
          exclude,
          globalSetup: ['./test/conformance/support/global-setup.ts'],
        },
      },
    ],
  },
});
