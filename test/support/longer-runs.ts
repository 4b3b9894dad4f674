/** All of a test's cases with `SIMULATION_SEEDS=all`, as in CI; else the first ones. */
export function firstUnlessAll<T>(all: readonly T[], count = 1): readonly T[] {
  return process.env['SIMULATION_SEEDS'] === 'all' ? all : all.slice(0, count);
}
