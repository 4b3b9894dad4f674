import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { failAsUnavailable } from '../hot-store/fail-as-unavailable.ts';
import { openRedisHotStore } from '../../storage/hot/redis-hot-store.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { type InstallationSecrets, loadSecrets } from '../../storage/secrets.ts';
import { openChangeFeed } from '../../storage/sql/change-feed.ts';
import { openPostgres, type Sql } from '../../storage/sql/postgres.ts';
import { type OpenHotStore, openServedHotStore, useServedHotStore } from '../hot-store/own-hot-store.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { type ChangeHub, openChangeHub } from '../../storage/sql/change-hub.ts';
import { measureHotStore, registerLedgerMetrics, registerPoolMetrics } from './store-metrics.ts';

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
  return openStoresWith(context, poolMax, await openMachineHotStore(context));
}

/** Opens the other stores beside a hot store that is open already: the core needs that of worker 0 while it starts. */
export async function openStoresWith(context: ChildContext, poolMax: number, opened: OpenHotStore): Promise<Stores> {
  const { endpoints, settings, log } = context;
  const sql = openPostgres({ url: endpoints.postgresUrl, log, poolMax, statementTimeoutMs: 30_000 });
  const olap = openOlap({ url: endpoints.clickhouseUrl, log });
  const measured = measureHotStore(opened.hot);
  const hot = context.role === 'delivery' ? measured.hot : failAsUnavailable(measured.hot);
  const changes = await openChangeHub({
    openFeed: (handlers) =>
      openChangeFeed({
        url: settings.postgresDirectUrl ?? endpoints.postgresUrl,
        channel: 'placard_change',
        log,
        ...handlers,
      }),
    connectsLater: connectsLater(context),
  });
  return {
    sql,
    olap,
    hot,
    changes,
    secrets: loadSecrets(settings.dataDir),
    registerMetrics: (registry) => {
      collectDefaultMetrics({ register: registry });
      measured.register(registry);
      if (opened.stats !== undefined) registerLedgerMetrics(registry, opened.stats);
      registerPoolMetrics(registry, sql);
    },
    close: async () => {
      await changes.close();
      await opened.close();
      await olap.close();
      await sql.close();
    },
  };
}

/**
 * The hot store as this process has it: Redis; or the one in the data folder, which delivery worker 0 opens for all processes of the machine.
 * @throws HotStoreOwnedError in worker 0, while another process has the store open
 */
export async function openMachineHotStore(context: ChildContext): Promise<OpenHotStore> {
  const { role, workerIndex, settings, endpoints, log } = context;
  const folder = { dataDir: settings.dataDir, log };
  const isDelivery = role === 'delivery';
  if (endpoints.redisUrl === null)
    return isDelivery && workerIndex === 0 ? await openServedHotStore(folder) : useServedHotStore(folder);
  const keeper = isDelivery ? 'recovery' : 'nobody';
  const hot = openRedisHotStore({ url: endpoints.redisUrl, log, keeper });
  return { hot, close: () => hot.close() };
}

/** A worker that starts from its disk asks nobody before it serves. */
function connectsLater({ isRestart, role }: ChildContext): boolean {
  return isRestart && role === 'delivery';
}
