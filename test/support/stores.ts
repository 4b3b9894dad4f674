import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Log, SILENT_LOG } from '../../src/domain/log/log.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import type { Olap } from '../../src/storage/olap/olap.ts';
import { openPostgres, type Sql } from '../../src/storage/sql/postgres.ts';
import { STORES_SOCKET, type TestPostgres, withDatabase } from './global-setup.ts';
import { askFor } from './on-demand.ts';

/** A log that discards all events. */
export const silentLog: Log = SILENT_LOG;

/** On a machine that does much else, a burst of statements waits long for connections. */
const PATIENT = { statementTimeoutMs: 120_000, connectTimeoutMs: 120_000 };

/** A database of its own, with the newest schema and no rows. `db` and `url` work as the service's role, as the program does. */
export interface TestDatabase extends Sql {
  readonly url: string;
  /** As the owner of the tables: for actions of an administrator. */
  readonly owner: Sql['db'];
  readonly ownerUrl: string;
}

/** Clones the migrated template, by files: some 30 ms of CPU time; through the WAL it is 170. Call it once a test file; `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, serviceUrl, template } = await ask<TestPostgres>('/postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runAdmin(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const own = withDatabase(serviceUrl, name);
  const ownerUrl = withDatabase(url, name);
  const sql = openPostgres({ url: own, log: silentLog, poolMax: 8, ...PATIENT });
  const owner = openPostgres({ url: ownerUrl, log: silentLog, poolMax: 4, ...PATIENT });
  return {
    url: own,
    db: sql.db,
    connections: () => sql.connections(),
    ownerUrl,
    owner: owner.db,
    close: async () => {
      await sql.close();
      await owner.close();
      await runAdmin(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** An empty ClickHouse database of its own. */
export interface TestOlapDatabase {
  readonly url: string;
  readonly database: string;
  readonly olap: Olap;
  close(): Promise<void>;
}

/** Makes an empty ClickHouse database: some 10 ms. Call it once a test file; `close` drops it. */
export async function createTestOlapDatabase(): Promise<TestOlapDatabase> {
  const { url } = await ask<{ url: string }>('/olap');
  const database = `test_${randomBytes(8).toString('hex')}`;
  const admin = openOlap({ url, log: silentLog });
  await admin.command(`CREATE DATABASE ${database}`);
  const own = withDatabase(url, database);
  const olap = openOlap({ url: own, log: silentLog });
  return {
    url: own,
    database,
    olap,
    close: async () => {
      await olap.close();
      await admin.command(`DROP DATABASE IF EXISTS ${database}`);
      await admin.close();
    },
  };
}

/** A temporary folder; call `remove` when done. */
export function createTestFolder(): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'placard-file-'));
  // As root, PostgreSQL runs as another account, which needs access to the folder.
  chmodSync(dir, 0o755);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
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

function ask<T>(path: string): Promise<T> {
  return askFor<T>(process.env[STORES_SOCKET] ?? '', path);
}
