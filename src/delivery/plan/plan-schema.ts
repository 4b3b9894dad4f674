import { z } from 'zod';
import { TIGHTNESS_MAX } from '../../domain/pacing/free-timeline.ts';

const NUMBER = z.number();

/** A plan as PostgreSQL and the disk hold it. */
export const PLAN = z.object({
  madeAtMs: NUMBER,
  free: z.array(
    z.tuple([
      z.string(),
      z.object({
        shares: z.array(z.object({ untilMs: NUMBER, share: NUMBER.positive().max(1) })).max(256),
        hours: z.array(NUMBER.nonnegative()).length(24).nullable(),
        tightness: NUMBER.nonnegative().max(TIGHTNESS_MAX),
      }),
    ]),
  ),
});
