import type { FastifyInstance } from 'fastify';
import { AttemptLimit, sourceOf } from '../../access/limits/attempt-limit.ts';
import { registerSharedReports } from '../../reports/shared/shared-report.routes.ts';
import type { Stores } from './stores.ts';

/** Openings of links by one address: so many in a minute. */
const OPENING_RULE = {
  purpose: 'share',
  max: 60,
  windowMs: 60_000,
  message: 'Too many reports were opened from this address; wait a minute.',
};

/** Adds the pages of shared reports. */
export function registerShares(
  app: FastifyInstance,
  { sql, olap, hot }: Pick<Stores, 'sql' | 'olap' | 'hot'>,
  nowMs = Date.now,
): void {
  const openings = new AttemptLimit({ hot, nowMs }, OPENING_RULE);
  const countOpening = (address: string) => openings.count(sourceOf(address));
  registerSharedReports(app, { sql: sql.db, olap, nowMs, countOpening });
}
