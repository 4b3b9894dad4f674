import type { FastifyInstance } from 'fastify';
import { AttemptLimit, sourceOf } from '../../access/limits/attempt-limit.ts';
import { registerSharedReports } from '../../reports/shared/shared-report.routes.ts';
import type { Stores } from './stores.ts';

/** Openings of one link, by whomever: so many in a minute. */
const OPENING_RULE = {
  purpose: 'share',
  max: 60,
  windowMs: 60_000,
  message: 'This report was opened too often; wait a minute.',
};
/** Addresses of links that do not work, opened by one address. */
const GUESS_RULE = {
  purpose: 'share-guess',
  max: 60,
  windowMs: 60_000,
  message: 'Too many links that do not work were opened from this address; wait a minute.',
};

/** Adds the pages of shared reports. */
export function registerShares(
  app: FastifyInstance,
  { sql, olap, hot }: Pick<Stores, 'sql' | 'olap' | 'hot'>,
  nowMs = Date.now,
): void {
  const openings = new AttemptLimit({ hot, nowMs }, OPENING_RULE);
  const guesses = new AttemptLimit({ hot, nowMs }, GUESS_RULE);
  registerSharedReports(app, {
    sql: sql.db,
    olap,
    nowMs,
    countOpening: (link) => openings.count(link),
    countGuess: (address) => guesses.count(sourceOf(address)),
  });
}
