import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { DRAW_SEED } from './draw-seed.ts';

/** All property tests draw from the seed of the run. */
configureGlobal({ ...readConfigureGlobal(), seed: DRAW_SEED });
