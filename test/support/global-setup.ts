import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { childEnvironment } from '../../src/config/child-environment.ts';
import { migrate } from '../../src/storage/sql/migrate.ts';
import { openPostgres } from '../../src/storage/sql/postgres.ts';
import { roleOf } from '../../src/storage/sql/service-role.sql.ts';
import { serveOnDemand } from './on-demand.ts';
import { openTestRun } from './test-run.ts';

/** Environment variable with the socket of {@link serveOnDemand}, which `stores.ts` asks. */
export const STORES_SOCKET = 'PLACARD_TEST_STORES_SOCKET';

/** The setup's result for PostgreSQL: an administrator's URL, the service's, and the migrated database to clone. */
export interface TestPostgres {
  readonly url: string;
  readonly serviceUrl: string;
  readonly template: string;
}

type Closing = () => Promise<void> | void;

const log = SILENT_LOG;

/**
 * One PostgreSQL and one analytics process per run, in a temporary folder. Each starts when a test file first requests it: files that need
 * neither cost nothing. PLACARD_TEST_POSTGRES_URL and PLACARD_TEST_CLICKHOUSE_URL name servers to use instead.
 */
export async function setup(): Promise<() => Promise<void>> {
  const endRun = await openTestRun('memory');
  const dir = mkdtempSync(join(tmpdir(), 'stores-'));
  // As root, PostgreSQL runs as another account, which needs access to the folder.
  chmodSync(dir, 0o755);
  const closings: Closing[] = [];
  const socket = join(dir, 'stores.sock');
  const stopListening = await serveOnDemand(socket, {
    '/postgres': () => startPostgres(dir, closings),
    '/olap': () => startAnalytics(dir, closings),
  });
  process.env[STORES_SOCKET] = socket;
  return async () => {
    await stopListening();
    for (const close of closings) await close();
    rmSync(dir, { recursive: true, force: true });
    await endRun();
  };
}

async function startPostgres(dir: string, closings: Closing[]): Promise<TestPostgres> {
  const configured = process.env['PLACARD_TEST_POSTGRES_URL'];
  const { url, serviceUrl } =
    configured === undefined ? await startOwnPostgres(dir, closings) : await makeServiceRole(configured, closings);
  const template = `placard_template_${randomBytes(4).toString('hex')}`;
  await runAdmin(url, `CREATE DATABASE ${template}`);
  if (configured !== undefined)
    closings.unshift(() => runAdmin(url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`));
  const sql = openPostgres({ url: withDatabase(url, template), log, poolMax: 2, statementTimeoutMs: 60_000 });
  try {
    await migrate({ db: sql.db, log, serviceRole: roleOf(serviceUrl) });
  } finally {
    await sql.close();
  }
  return { url, serviceUrl, template };
}

type Urls = Omit<TestPostgres, 'template'>;

/** On an external server: a role of this run, removed after the databases that name it. */
async function makeServiceRole(url: string, closings: Closing[]): Promise<Urls> {
  const role = `placard_service_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  await runAdmin(url, `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  closings.push(() => runAdmin(url, `DROP ROLE ${role}`));
  return { url, serviceUrl: Object.assign(new URL(url), { username: role, password }).href };
}

async function startOwnPostgres(dir: string, closings: Closing[]): Promise<Urls> {
  const started = forkStore<{ url: string; ownerUrl: string }>('postgres', join(dir, 'data'), closings);
  const { url, ownerUrl } = await started;
  return { url: ownerUrl, serviceUrl: url };
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${database}`;
  return parsed.href;
}

async function runAdmin(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function startAnalytics(dir: string, closings: Closing[]): Promise<{ url: string }> {
  const configured = process.env['PLACARD_TEST_CLICKHOUSE_URL'];
  if (configured !== undefined) return Promise.resolve({ url: configured });
  return forkStore('analytics', join(dir, 'analytics'), closings);
}

/** Runs a store in a process that ends with this one, however it ends. Resolves with its message when it is ready. */
function forkStore<T>(name: 'analytics' | 'postgres', dir: string, closings: Closing[]): Promise<T> {
  const path = fileURLToPath(new URL(`stores/${name}-child.ts`, import.meta.url));
  const child = fork(path, [dir], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: childEnvironment(name),
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  closings.push(() => {
    if (child.connected) child.disconnect();
    return exited;
  });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the ${name} process of the tests ended with ${code}`)));
  });
}
