import type { Log } from '../../domain/log/log.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../../delivery/insight/diagnosis/decision-reasons.olap.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import { migrateOlap, type OlapMigration } from '../../storage/olap/migrate-olap.ts';
import { migrateAsOwner } from '../../storage/sql/migrate.ts';
import type { StoreAddresses } from '../supervisor/borrow-stores.ts';

/** Every migration of the analytics store, of all modules. */
export const OLAP_MIGRATIONS: readonly OlapMigration[] = [
  ...EVENT_OLAP_MIGRATIONS,
  ...DELIVERY_OLAP_MIGRATIONS,
  ...REPORT_OLAP_MIGRATIONS,
];

/** Runs every migration of both stores that has not run yet; returns their names. */
export async function migrateStores(
  stores: StoreAddresses,
  log: Log,
): Promise<{ postgres: readonly string[]; analytics: readonly string[] }> {
  const olap = openOlap({ url: needAnalytics(stores), log });
  try {
    const postgres = await migrateAsOwner(stores, log);
    const analytics = await migrateOlap({ olap, migrations: OLAP_MIGRATIONS, log });
    return { postgres, analytics };
  } finally {
    await olap.close();
  }
}

/** The analytics store's address of stores that were borrowed with it. */
export function needAnalytics(stores: StoreAddresses): string {
  if (stores.clickhouseUrl === null) throw new Error('The analytics store is not there.');
  return stores.clickhouseUrl;
}
