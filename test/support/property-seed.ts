import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { DRAW_SEED } from './draw-seed.ts';
import { runsOf } from './longer-runs.ts';

/** All property tests draw from the seed of the run. A property that names no number of runs has the default of fast-check, or a part of it. */
configureGlobal({ ...readConfigureGlobal(), seed: DRAW_SEED, numRuns: runsOf(100) });
