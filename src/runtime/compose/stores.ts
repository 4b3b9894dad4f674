import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openRedisHotStore } from '../../storage/hot/redis-hot-store.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { type InstallationSecrets, loadSecrets } from '../../storage/secrets.ts';
import type { SqlOrCore } from '../../storage/sql/node-call.ts';
import { openChangeFeed } from '../../storage/sql/change-feed.ts';
import { openPostgres, type Sql } from '../../storage/sql/postgres.ts';
import type { ReadCountedSums } from '../../domain/money/counted-sums.ts';
import type { ReadinessCheck } from '../../http/shared/health.ts';
import { type OpenHotStore, openServedHotStore, useServedHotStore } from '../hot-store/own-hot-store.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { type ChangeHub, openChangeHub } from '../../storage/sql/change-hub.ts';
import { readSums } from './core-link/core-calls.ts';
import { openCoreChangeFeed } from './core-link/core-change-feed.ts';
import { CoreLink } from './core-link/core-link.ts';
import { CoreOlap } from './core-link/core-olap.ts';
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

async function openStoresWith(context: ChildContext, poolMax: number, opened: OpenHotStore): Promise<Stores> {
  const { endpoints, settings, log } = context;
  const sql = openPostgres({ url: endpoints.postgresUrl, log, poolMax, statementTimeoutMs: 30_000 });
  const olap = openOlap({ url: endpoints.clickhouseUrl, log });
  const { hot, register } = measureHotStore(opened.hot);
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
      register(registry);
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

/** Every store that a delivery worker works with: itself, or through a core. */
export interface DeliveryStores extends Omit<Stores, 'sql'> {
  readonly sql: SqlOrCore;
  readonly readSums: ReadCountedSums;
  /** Of the way to the stores; ads are served without it. */
  readiness(): ReadinessCheck[];
}

/**
 * Opens the stores of a delivery worker beside the hot store, which is open already: the core needs that of worker 0 while it starts.
 * @throws Error for a file of CAs that cannot be read
 */
export async function openDeliveryStores(
  context: ChildContext,
  poolMax: number,
  opened: OpenHotStore,
): Promise<DeliveryStores> {
  const { settings, log } = context;
  if (settings.coreUrl === null) {
    const stores = await openStoresWith(context, poolMax, opened);
    return { ...stores, sql: stores.sql.db, readSums: (of) => readSums(stores.olap, of), readiness: () => [] };
  }
  const link = new CoreLink(settings);
  const olap = new CoreOlap(link);
  const { hot, register } = measureHotStore(opened.hot);
  const changes = await openChangeHub({
    openFeed: (handlers) => openCoreChangeFeed({ link, log, ...handlers }),
    connectsLater: connectsLater(context),
  });
  return {
    sql: link,
    olap,
    hot,
    changes,
    secrets: loadSecrets(settings.dataDir),
    readSums: (of) => readSums(olap, of),
    readiness: () => [linkReadiness(link)],
    registerMetrics: (registry) => {
      collectDefaultMetrics({ register: registry });
      register(registry);
      link.registerMetrics(registry);
    },
    close: async () => {
      await changes.close();
      await opened.close();
      link.close();
    },
  };
}

function linkReadiness({ isUp, isCoreOlder }: CoreLink): ReadinessCheck {
  const name = 'core link';
  if (isUp && isCoreOlder) {
    const detail = 'a core does not know calls of this node, so it is older: upgrade cores first; ads and events go on';
    return { name, ok: true, degraded: true, detail };
  }
  if (isUp) return { name, ok: true };
  const detail = 'no core responds; ads go on from the disk, and events wait in the spool';
  return { name, ok: true, degraded: true, detail };
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
