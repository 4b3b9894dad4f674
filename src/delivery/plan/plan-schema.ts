import { z } from 'zod';

const NUMBER = z.number();

/** A plan as PostgreSQL and the disk hold it. */
export const PLAN = z.object({
  madeAtMs: NUMBER,
  shares: z.array(
    z.tuple([z.string(), z.array(z.object({ untilMs: NUMBER, share: NUMBER.positive().max(1) })).max(256)]),
  ),
});
