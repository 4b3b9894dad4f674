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
}, 60_000);

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
  for (const pid of [server.pid, ...children.map(Number)]) process.kill(pid, signal);
}

test('a statement fails in bounded time while PostgreSQL is stopped, and works again afterwards', async () => {
  const { db, close } = openPostgres({ url: server.url, log: silentLog, poolMax: 2, statementTimeoutMs: 1_000 });
  const ask = () => sql<{ n: number }>`SELECT 1 AS n`.execute(db);
  await ask();
  signalAll('SIGSTOP');
  await expect(ask()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  // The machine accepts a new connection, and the server never greets.
  await expect(ask()).rejects.toThrow('timeout');
  signalAll('SIGCONT');
  expect((await ask()).rows).toEqual([{ n: 1 }]);
  await close();
}, 60_000);
