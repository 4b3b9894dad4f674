import { setTimeout as sleep } from 'node:timers/promises';
import { withJitter } from '../../domain/time/jitter.ts';
import { missingOlapMigrations, type OlapMigration } from '../../storage/olap/migrate-olap.ts';
import { missingMigrations } from '../../storage/sql/migrate.ts';
import type { ChildContext } from '../supervisor/part.ts';
import type { Stores } from './stores.ts';

const AGAIN_MS = 2_000;

/** Resolves when a core has brought both databases to the schema of this program. For parts that migrate nothing. */
export async function waitForSchema(
  { log, stillStarting }: Pick<ChildContext, 'log' | 'stillStarting'>,
  { sql, olap }: Pick<Stores, 'sql' | 'olap'>,
  analytics: readonly OlapMigration[],
): Promise<void> {
  for (let isSaid = false; ; isSaid = true) {
    try {
      const missing = [...(await missingMigrations(sql.db)), ...(await missingOlapMigrations(olap, analytics))];
      if (missing.length === 0) return;
      if (!isSaid) log.event('jobs.waits_for_migrations', { missing });
    } catch (error) {
      if (!isSaid) log.event('jobs.waits_for_migrations', { err: error });
    }
    stillStarting();
    await sleep(withJitter(AGAIN_MS));
  }
}
