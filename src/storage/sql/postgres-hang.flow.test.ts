import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { openPostgres } from './postgres.ts';

const folder = createTestFolder();
let server: EmbeddedPostgres;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir: join(folder.dir, 'data'), log: silentLog });
}, 120_000);

afterAll(async () => {
  signalAll('SIGCONT');
  await server.stop();
  folder.remove();
}, 120_000);

/** Signals the server and the process of each of its connections. */
function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${server.pid}\n`);
    } catch {
      return false;
    }
  });
  process.kill(server.pid, signal);
  for (const pid of children.map(Number)) signalIfAlive(pid, signal);
}

/** A process of PostgreSQL's own background work may end between the listing and the signal. */
function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Silence, two probes, and what a loaded machine adds: less than the time limit of a statement. */
const HANG_MS_MAX = 40_000;

test('statements fail before their time limit while PostgreSQL is stopped, later ones at once, and work again afterwards', async () => {
  const { db, close } = openPostgres({ url: server.url, log: silentLog, poolMax: 2, statementTimeoutMs: 60_000 });
  const ask = () => sql<{ n: number }>`SELECT 1 AS n`.execute(db);
  await ask();
  signalAll('SIGSTOP');
  const stoppedAtMs = performance.now();
  // One connection is open, one is made, and the others wait for one of the two.
  await Promise.all([1, 2, 3, 4].map(() => expect(ask()).rejects.toMatchObject({ code: 'ETIMEDOUT' })));
  expect(performance.now() - stoppedAtMs).toBeLessThan(HANG_MS_MAX);
  const askedAtMs = performance.now();
  await expect(ask()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  expect(performance.now() - askedAtMs).toBeLessThan(2_000);
  signalAll('SIGCONT');
  await expect.poll(() => ask().then(({ rows }) => rows)).toEqual([{ n: 1 }]);
  await close();
}, 120_000);

test('a statement that works long, and one that waits for its connection, succeed on a server that runs', async () => {
  const { db, close } = openPostgres({ url: server.url, log: silentLog, poolMax: 1, statementTimeoutMs: 60_000 });
  const long = sql`SELECT pg_sleep(9)`.execute(db);
  await expect(sql<{ n: number }>`SELECT 1 AS n`.execute(db)).resolves.toMatchObject({ rows: [{ n: 1 }] });
  await expect(long).resolves.toMatchObject({ rows: [{}] });
  await close();
}, 120_000);
