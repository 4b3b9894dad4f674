import { configDefaults, defineConfig } from 'vitest/config';
import { environment, graphqlOnce, limits } from './vitest.config.ts';

/**
 * `npm run test:long`: whole processes that tests start, stop and kill (`*.flow.test.ts`), simulated worlds and large draws
 * (`*.long.test.ts`). CI takes a part of them.
 */
export default defineConfig({
  resolve: graphqlOnce,
  test: {
    ...limits,
    reporters: ['default', './test/support/run/cost-reporter.ts'],
    include: ['{src,test,console/src}/**/*.{flow,long}.test.ts'],
    exclude: configDefaults.exclude,
    env: environment,
    globalSetup: ['./test/support/global-setup.ts', './test/conformance/support/global-setup.ts'],
    maxWorkers: 3,
  },
});
