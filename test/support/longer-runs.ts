import { DRAW_SEED } from './draw-seed.ts';

/** Whether tests try all of their cases, as in CI with `DRAWS=all`; else they draw a few. */
export const TRIES_ALL = process.env['DRAWS'] === 'all';

/** Runs of a property: `count` with `DRAWS=all`; else a quarter of them; each tree draws others. */
export const runsOf = (count: number): number => (TRIES_ALL ? count : Math.ceil(count / 4));

/** All of a test's cases with `DRAWS=all`; else the first ones. */
export function firstUnlessAll<T>(all: readonly T[], count = 1): readonly T[] {
  return TRIES_ALL ? all : all.slice(0, count);
}

/** All of a test's cases with `DRAWS=all`; else one part of so many, which follows from the tree: as many commits try all of them. */
export function partUnlessAll<T>(all: readonly T[], parts: number): readonly T[] {
  return TRIES_ALL ? all : all.filter((_one, at) => at % parts === DRAW_SEED % parts);
}
