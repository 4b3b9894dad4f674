import { join } from 'node:path';
import { type HotStore } from '../../storage/hot/hot-store.ts';
import { openHotStore } from '../../storage/hot/open-hot-store.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { type InstallationSecrets, loadSecrets } from '../../storage/secrets.ts';
import { openPostgres, type Sql } from '../../storage/sql/postgres.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { type ChangeHub, openChangeHub } from './change-hub.ts';

/** Every store that a part works with, and the installation's secrets. */
export interface Stores {
  readonly sql: Sql;
  readonly olap: Olap;
  readonly hot: HotStore;
  readonly changes: ChangeHub;
  readonly secrets: InstallationSecrets;
  close(): Promise<void>;
}

/** Opens the stores at the addresses that the supervisor resolved. `poolMax` bounds this process's connections to PostgreSQL. */
export async function openStores(context: ChildContext, poolMax: number): Promise<Stores> {
  const { endpoints, settings, log } = context;
  const sql = openPostgres({ url: endpoints.postgresUrl, log, poolMax, statementTimeoutMs: 30_000 });
  const olap = openOlap({ url: endpoints.clickhouseUrl, log });
  const hot = openHotStore({
    dir: join(settings.dataDir, 'hot'),
    nowMs: Date.now,
    log,
    ...(endpoints.redisUrl === null ? {} : { redisUrl: endpoints.redisUrl }),
  });
  const changes = await openChangeHub({
    url: endpoints.postgresUrl,
    log,
    connectsLater: context.isRestart && context.role === 'delivery',
  });
  return {
    sql,
    olap,
    hot,
    changes,
    secrets: loadSecrets(settings.dataDir),
    close: async () => {
      await changes.close();
      await hot.close();
      await olap.close();
      await sql.close();
    },
  };
}
