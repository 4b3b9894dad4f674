import { join } from 'node:path';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { type HotStore } from '../../storage/hot/hot-store.ts';
import { openHotStore } from '../../storage/hot/open-hot-store.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { type InstallationSecrets, loadSecrets } from '../../storage/secrets.ts';
import { openPostgres, type Sql } from '../../storage/sql/postgres.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { type ChangeHub, openChangeHub } from './change-hub.ts';
import { measureHotStore, registerPoolMetrics } from './store-metrics.ts';

/** Every store that a part works with, and the installation's secrets. */
export interface Stores {
  readonly sql: Sql;
  readonly olap: Olap;
  readonly hot: HotStore;
  readonly changes: ChangeHub;
  readonly secrets: InstallationSecrets;
  /** Shows the process itself, and how its stores respond. @throws Error when a name is taken */
  registerMetrics(registry: Registry): void;
  close(): Promise<void>;
}

/** Opens the stores at the addresses that the supervisor resolved. `poolMax` bounds this process's connections to PostgreSQL. */
export async function openStores(context: ChildContext, poolMax: number): Promise<Stores> {
  const { endpoints, settings, log } = context;
  const sql = openPostgres({ url: endpoints.postgresUrl, log, poolMax, statementTimeoutMs: 30_000 });
  const olap = openOlap({ url: endpoints.clickhouseUrl, log });
  const { hot, register } = measureHotStore(
    openHotStore({
      dir: join(settings.dataDir, 'hot'),
      nowMs: Date.now,
      log,
      keeper: context.role === 'delivery' ? 'recovery' : 'nobody',
      ...(endpoints.redisUrl === null ? {} : { redisUrl: endpoints.redisUrl }),
    }),
  );
  const changes = await openChangeHub({
    url: settings.postgresDirectUrl ?? endpoints.postgresUrl,
    log,
    connectsLater: context.isRestart && context.role === 'delivery',
  });
  return {
    sql,
    olap,
    hot,
    changes,
    secrets: loadSecrets(settings.dataDir),
    registerMetrics: (registry) => {
      collectDefaultMetrics({ register: registry });
      register(registry);
      registerPoolMetrics(registry, sql);
    },
    close: async () => {
      await changes.close();
      await hot.close();
      await olap.close();
      await sql.close();
    },
  };
}
