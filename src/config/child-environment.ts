import { join } from 'node:path';
import type { Settings } from './settings.ts';

/**
 * The environment that a part of the program is started with: this process's own; the production mode of libraries, whose checks for
 * developers take a sixth of a query's time; a folder for what node has compiled, which halves the work of starting again after a kill; and for the analytics store a larger thread pool, because each statement that runs holds
 * one of libuv's threads (4 by default) until it is done.
 */
export function childEnvironment(role: string, dataDir?: string): NodeJS.ProcessEnv {
  const compiled = dataDir === undefined ? {} : { NODE_COMPILE_CACHE: join(dataDir, 'compiled') };
  const own = { NODE_ENV: 'production', ...compiled, ...process.env };
  return role === 'analytics' ? { UV_THREADPOOL_SIZE: '16', ...own } : own;
}

/**
 * Arguments for node of a part of the program, behind this process's own. A delivery worker gets a young generation of the heap that
 * holds about 2,000 bids: the less often it is cleaned, the fewer of the requests in progress are copied, and the less of
 * them grows old and must be found by the long collections. It costs up to 192 MB of memory under load, none at rest. Warnings of experimental
 * interfaces would be in each part's log: one of them maps the columns of the snapshot.
 */
export function childNodeArguments(role: string): string[] {
  const own = [...process.execArgv, '--disable-warning=ExperimentalWarning'];
  return role === 'delivery' ? [...own, '--min-semi-space-size=64', '--max-semi-space-size=64'] : own;
}

/** What a copy needs of the settings of the first installation: the passphrase, and what opens where backups are. */
const NEEDED_BY_COPY: Readonly<Record<string, (settings: Settings) => string | null>> = {
  PLACARD_BACKUP_PASSPHRASE: ({ backupPassphrase }) => backupPassphrase,
  // The node's folder of secrets lacks the key where a setting has it.
  PLACARD_CLUSTER_KEY: ({ clusterKey }) => clusterKey,
  PLACARD_BACKUP_CLICKHOUSE_TO: ({ backupClickhouseTo }) => backupClickhouseTo,
  PLACARD_BACKUP_S3_REGION: ({ backupS3Region }) => backupS3Region,
  PLACARD_BACKUP_S3_ACCESS_KEY_ID: ({ backupS3AccessKeyId }) => backupS3AccessKeyId,
  PLACARD_BACKUP_S3_SECRET_KEY: ({ backupS3SecretKey }) => backupS3SecretKey,
  PLACARD_S3_REGION: ({ s3Region }) => s3Region,
  PLACARD_S3_ACCESS_KEY_ID: ({ s3AccessKeyId }) => s3AccessKeyId,
  PLACARD_S3_SECRET_KEY: ({ s3SecretKey }) => s3SecretKey,
};

/**
 * The environment of a restored copy beside this installation: without the addresses, ports and exports of the first.
 * @param clickhouseUrl of an empty database; null: the copy has its own analytics store
 */
export function copyEnvironment(
  dataDir: string,
  settings: Settings,
  clickhouseUrl: string | null = null,
): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PLACARD_'));
  const needed = Object.entries(NEEDED_BY_COPY).flatMap(([name, read]) => {
    const value = read(settings);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries([...kept, ...needed]),
    ...(clickhouseUrl === null ? {} : { PLACARD_CLICKHOUSE_URL: clickhouseUrl }),
    PLACARD_DATA: dataDir,
    PLACARD_CORE_PORT: '0',
    PLACARD_DELIVERY_PORT: '0',
    PLACARD_WORKERS: '1',
    PLACARD_DEMO: 'false',
    PLACARD_DEMO_TRAFFIC: 'false',
    PLACARD_LOG_FORMAT: 'json',
    PLACARD_LOG_LEVEL: 'warn',
  };
}
