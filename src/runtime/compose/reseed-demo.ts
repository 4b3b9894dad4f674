import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import type { Settings } from '../../config/settings.ts';
import type { DemoFile } from '../../demo/demo-file.ts';
import { completeHistory } from '../../demo/demo-history.ts';
import { seedDemo } from '../../demo/seed-demo.ts';
import { countDemoSegments } from '../../demo/segments.sql.ts';
import { COUNTED_TABLES } from '../../reports/rollups/rollups.olap.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import { loadSecrets } from '../../storage/secrets.ts';
import { openPostgres } from '../../storage/sql/postgres.ts';
import { borrowHotStore } from '../hot-store/borrow-hot-store.ts';
import type { StoreAddresses } from '../supervisor/borrow-stores.ts';
import { resolveEndpoints, secretsDirOf } from '../supervisor/endpoints.ts';
import { readEndpoints } from '../supervisor/run-files.ts';
import { openAssets } from './assets.ts';
import { countImported, type ImportedHistory } from './history/count-imported.ts';
import { migrateStores, needAnalytics } from './migrate-stores.ts';

interface Reseeding {
  readonly stores: StoreAddresses;
  readonly settings: Settings;
  readonly log: Log;
  readonly onProgress: (text: string) => void;
}

/** Rebuilds the demo network in the stores of a data folder, whether the service runs or not. */
export async function reseedDemo({ stores, settings, log, onProgress }: Reseeding): Promise<DemoFile> {
  await migrateStores(stores, log);
  const { hot, close } = await borrowHotStore({ dataDir: settings.dataDir, log }, stores.redisUrl);
  const sql = openPostgres({ url: stores.postgresUrl, log, poolMax: 2, statementTimeoutMs: 60_000 });
  const olap = openOlap({ url: needAnalytics(stores), log });
  const endpoints =
    readEndpoints(settings.dataDir) ??
    (await resolveEndpoints(settings, 'all', { secretsDir: secretsDirOf(settings.dataDir) }));
  const caFile = join(settings.dataDir, 'tls', 'ca.pem');
  try {
    const demo = await seedDemo({
      sql: sql.db,
      olap,
      assets: openAssets(settings, sql.db),
      secrets: loadSecrets(settings.dataDir),
      dataDir: settings.dataDir,
      urls: { core: endpoints.corePublicUrl, delivery: endpoints.deliveryPublicUrl },
      caFile: settings.tls === 'self' && existsSync(caFile) ? caFile : null,
      countedTables: COUNTED_TABLES,
      nowMs: Date.now(),
      onProgress,
    });
    const count = async (history: ImportedHistory): Promise<void> => {
      await countImported({ olap, sql: sql.db, hot }, history);
      await countDemoSegments({ sql: sql.db, hot }, history);
    };
    await completeHistory({ olap, dataDir: settings.dataDir, count, onProgress });
    return demo;
  } finally {
    await close();
    await olap.close();
    await sql.close();
  }
}
