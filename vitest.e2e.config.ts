import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { treeSeed } from './test/support/run/tree-seed.ts';
import { ALONE, pathOf, pathOfSuite, SUITES } from './test/e2e/support/suites.ts';

/** What node has compiled for one program need not be compiled for the next. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/placard-compiled', import.meta.url));

const SUFFIX = '.e2e.test.ts';
const names = [...ALONE, ...Object.values(SUITES).flat()];
const found = readdirSync(new URL('test/e2e', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith(SUFFIX))
  .map((path) => path.slice(0, -SUFFIX.length));
if (names.toSorted().join() !== found.toSorted().join())
  throw new Error('test/e2e/support/suites.ts does not list each file of browser tests once');
/** Files that the command line names, such as `console-lens`, run alone, each with a server of its own. */
const isNamed = process.argv.some((word) => names.some((name) => pathOf(name).includes(word)));

const files = isNamed ? names.map(pathOf) : [...Object.keys(SUITES).map(pathOfSuite), ...ALONE.map(pathOf)];

/** Runs the files in the order of the list: the longest begin first. */
class ListedOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => files.findIndex((file) => moduleId.endsWith(file));
    return specifications.toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * `npm run test:e2e`: a browser (Chromium) against a whole `placard serve` on a copy of one demo: four suites beside each other, and what
 * belongs to none.
 */
export default defineConfig({
  test: {
    include: files,
    sequence: { sequencer: ListedOrder },
    exclude: ['**/node_modules/**'],
    env: { NODE_COMPILE_CACHE, PROPERTY_SEED: treeSeed() },
    globalSetup: './test/e2e/support/global-setup.ts',
    reporters: ['default', './test/support/run/cost-reporter.ts'],
    setupFiles: ['./test/support/run/file-cost.setup.ts'],
    pool: 'forks',
    // One suite each.
    maxWorkers: 4,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 600_000,
    passWithNoTests: true,
  },
});
