import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { SILENT_LOG } from '../../../src/domain/log/log.ts';
import { findPostgresAccount } from '../../../src/storage/sql/postgres-account.ts';

const READY_MS = 60_000;
/** Names the socket's file only. */
const PORT = 6432;

/** Whether PgBouncer can be started here. */
export function hasPgBouncer(): boolean {
  return spawnSync('pgbouncer', ['--version']).status === 0;
}

/** PgBouncer in transaction mode before one database. */
export interface TestPgBouncer {
  /** The address of the same database and role through it. */
  readonly url: string;
  end(): Promise<void>;
}

/** Starts it at a socket of its own. `connections`: those that it opens to PostgreSQL, which all clients share. */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<TestPgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const dir = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(dir, 0o777);
  const settings = {
    listen_addr: '',
    listen_port: PORT,
    unix_socket_dir: dir,
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: connections,
    max_client_conn: 200,
    ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout',
  };
  const target = `host=${hostname} port=${port} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  const path = join(dir, 'pgbouncer.ini');
  writeFileSync(path, ['[databases]', `${name} = ${target} dbname=${name}`, '[pgbouncer]', ...lines, ''].join('\n'));
  // It does not run as root either.
  const { uid, gid } = await findPostgresAccount(SILENT_LOG);
  const account = uid === null || gid === null ? {} : { uid, gid };
  const child = spawn('pgbouncer', [path], { stdio: ['ignore', 'ignore', 'pipe'], ...account });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `postgres://${username}@localhost:${PORT}/${name}?host=${encodeURIComponent(dir)}`;
  await untilReady(url, child);
  return {
    url,
    end: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  let printed = '';
  child.stderr?.on('data', (chunk) => (printed += String(chunk)));
  for (const untilMs = performance.now() + READY_MS; ; await sleep(20)) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.query('SELECT 1');
      return;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > untilMs)
        throw new Error(`PgBouncer did not start: ${printed}`, { cause: error });
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
