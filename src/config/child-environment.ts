import { join } from 'node:path';

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

/** The passphrase, and what opens a bucket of backups. */
const NEEDED_BY_COPY = /^PLACARD_(?:BACKUP_(?:PASSPHRASE|S3_.*)|S3_(?:REGION|ACCESS_KEY_ID|SECRET_KEY))(?:_FILE)?$/;

/** The environment of a restored copy beside this installation: without the addresses, ports and exports of the first. */
export function copyEnvironment(dataDir: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PLACARD_') || NEEDED_BY_COPY.test(name),
  );
  return {
    ...Object.fromEntries(kept),
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
