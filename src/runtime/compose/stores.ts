import { join } from 'node:path';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { type HotStore } from '../../storage/hot/hot-store.ts';
import { openHotStore } from '../../storage/hot/open-hot-store.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { type InstallationSecrets, loadSecrets } from '../../storage/secrets.ts';
import type { SqlOrCore } from '../../storage/sql/node-call.ts';
import { openChangeFeed } from '../../storage/sql/change-feed.ts';
import { openPostgres, type Sql } from '../../storage/sql/postgres.ts';
import type { ReadCountedSums } from '../../domain/money/counted-sums.ts';
import type { ReadinessCheck } from '../../http/shared/health.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { type ChangeHub, openChangeHub } from '../../storage/sql/change-hub.ts';
import { readSums } from './core-link/core-calls.ts';
import { openCoreChangeFeed } from './core-link/core-change-feed.ts';
import { CoreLink } from './core-link/core-link.ts';
import { CoreOlap } from './core-link/core-olap.ts';
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
  const { hot, register } = openHot(context);
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

/** Every store that a delivery worker works with: itself, or through a core. */
export interface DeliveryStores extends Omit<Stores, 'sql'> {
  readonly sql: SqlOrCore;
  readonly readSums: ReadCountedSums;
  /** Of the way to the stores; ads are served without it. */
  readiness(): ReadinessCheck[];
}

/** Opens the stores of a delivery worker. @throws Error for a file of CAs that cannot be read */
export async function openDeliveryStores(context: ChildContext, poolMax: number): Promise<DeliveryStores> {
  const { settings, log } = context;
  if (settings.coreUrl === null) {
    const stores = await openStores(context, poolMax);
    return { ...stores, sql: stores.sql.db, readSums: (of) => readSums(stores.olap, of), readiness: () => [] };
  }
  const link = new CoreLink(settings);
  const olap = new CoreOlap(link);
  const { hot, register } = openHot(context);
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
      await hot.close();
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

function openHot({ role, settings, endpoints, log }: ChildContext): ReturnType<typeof measureHotStore> {
  return measureHotStore(
    openHotStore({
      dir: join(settings.dataDir, 'hot'),
      nowMs: Date.now,
      log,
      keeper: role === 'delivery' ? 'recovery' : 'nobody',
      ...(endpoints.redisUrl === null ? {} : { redisUrl: endpoints.redisUrl }),
    }),
  );
}

/** A worker that starts from its disk asks nobody before it serves. */
function connectsLater({ isRestart, role }: ChildContext): boolean {
  return isRestart && role === 'delivery';
}
