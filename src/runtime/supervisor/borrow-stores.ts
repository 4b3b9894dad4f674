import { mkdirSync } from 'node:fs';
import type { Log } from '../../domain/log/log.ts';
import type { Settings } from '../../config/settings.ts';
import { acquireDataLock, findLockHolder } from './data-lock.ts';
import { analyticsAddress, migrationsAddress, resolveEndpoints, secretsDirOf } from './endpoints.ts';
import { endLeftovers, POSTGRES_NAME } from './leftovers.ts';
import { ManagedChild } from './managed-child.ts';
import type { Endpoints } from './part.ts';
import type { RunningPostgres } from './postgres-keeper.ts';
import { recordProcess } from './process-identity.ts';
import { defaultRestartLimits } from './restart-policy.ts';
import { readEndpoints, removeRunFiles, writeChildren } from './run-files.ts';

/** Addresses of the stores of a data folder, with their passwords. */
export interface StoreAddresses {
  /** As the service's role. */
  readonly postgresUrl: string;
  /** As the owner of the tables, for migrations; null: the role of `postgresUrl` runs them. */
  readonly postgresOwnerUrl: string | null;
  /** null when no analytics store runs or is needed. */
  readonly clickhouseUrl: string | null;
  /** null: the ledger in the data folder. */
  readonly redisUrl: string | null;
}

export interface BorrowOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly modulePath: string;
  readonly needs: { readonly analytics: boolean };
}

const stopTimeoutMs = 20_000;
const readyTimeoutMs = 60_000;

/**
 * Runs `work` with the stores of the data folder: those of a running instance; those named by address; or built-in ones,
 * started for the duration while the data folder is locked.
 * @throws DataFolderLockedError when an instance is just starting
 */
export async function withStores<T>(options: BorrowOptions, work: (stores: StoreAddresses) => Promise<T>): Promise<T> {
  const { settings, needs } = options;
  const running = findLockHolder(settings.dataDir) === null ? null : readEndpoints(settings.dataDir);
  if (running !== null) return await work(running);
  const { postgresUrl, redisUrl } = settings;
  const postgresOwnerUrl = migrationsAddress(settings);
  const clickhouseUrl = analyticsAddress(settings);
  if (postgresUrl !== null && (clickhouseUrl !== null || !needs.analytics)) {
    return await work({ postgresUrl, postgresOwnerUrl, clickhouseUrl, redisUrl });
  }
  return await withOwnStores(options, work);
}

async function withOwnStores<T>(options: BorrowOptions, work: (stores: StoreAddresses) => Promise<T>): Promise<T> {
  const { settings, log, needs } = options;
  const { dataDir } = settings;
  mkdirSync(secretsDirOf(dataDir), { recursive: true, mode: 0o700 });
  const lock = acquireDataLock(dataDir);
  let postgres: RunningPostgres | null = null;
  let analytics: ManagedChild | null = null;
  const writeProcesses = (): void => {
    const named: [string, number | null | undefined][] = [
      ['analytics', analytics?.pid],
      [POSTGRES_NAME, postgres?.pid],
    ];
    writeChildren(
      dataDir,
      named.flatMap(([name, pid]) => (typeof pid === 'number' ? [{ name, ...recordProcess(pid) }] : [])),
    );
  };
  try {
    await endLeftovers({ dataDir, timeoutMs: stopTimeoutMs, log });
    // Nothing listens here: free ports avoid a check of the configured ones.
    const endpoints = await resolveEndpoints({ ...settings, corePort: 0, deliveryPort: 0 }, 'all', {
      secretsDir: secretsDirOf(dataDir),
    });
    if (settings.postgresUrl === null) {
      const { startEmbeddedPostgres } = await import('../../storage/sql/embedded-postgres.ts');
      postgres = await startEmbeddedPostgres({ dataDir, log });
      writeProcesses();
    }
    if (needs.analytics && settings.clickhouseUrl === null) {
      analytics = makeAnalytics(options, endpoints, writeProcesses);
      await analytics.start();
    }
    return await work({
      postgresUrl: postgres?.url ?? endpoints.postgresUrl,
      postgresOwnerUrl: postgres?.ownerUrl ?? migrationsAddress(settings),
      clickhouseUrl: analytics === null ? analyticsAddress(settings) : endpoints.clickhouseUrl,
      redisUrl: settings.redisUrl,
    });
  } finally {
    await analytics?.stop(stopTimeoutMs);
    await postgres?.stop();
    removeRunFiles(dataDir);
    lock.release();
  }
}

function makeAnalytics(options: BorrowOptions, endpoints: Endpoints, onProcessesChanged: () => void): ManagedChild {
  const { settings, log, modulePath } = options;
  return new ManagedChild({
    role: 'analytics',
    workerIndex: 0,
    modulePath,
    settings,
    endpoints,
    limits: { ...defaultRestartLimits, startCrashesMax: 1 },
    readyTimeoutMs,
    log,
    onProcessesChanged,
    onGaveUp: (reason) => log.event('analytics.gave_up', { reason }),
  });
}
