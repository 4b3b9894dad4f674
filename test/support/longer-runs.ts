/** Whether tests try all of their cases, as in CI with `DRAWS=all`; else they draw a few. */
export const TRIES_ALL = process.env['DRAWS'] === 'all';

/** All of a test's cases with `DRAWS=all`; else the first ones. */
export function firstUnlessAll<T>(all: readonly T[], count = 1): readonly T[] {
  return TRIES_ALL ? all : all.slice(0, count);
}
