/** A service whose core hangs in its migrations, on a data folder that has served before. */
import { Client as Postgres } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIGRATION_LOCK } from '../../src/storage/sql/migrate.ts';
import { createClient } from '../support/http-client.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../support/placard-process.ts';
import {
  createTestDatabase,
  createTestOlapDatabase,
  type TestDatabase,
  type TestOlapDatabase,
} from '../support/stores.ts';
import { freePort } from '../support/stores/free-port.ts';

const dataDir = makeDataDir();
let database: TestDatabase;
let analytics: TestOlapDatabase;
let env: Record<string, string>;
let first: PlacardProcess;
let starting: Promise<PlacardProcess> | undefined;
let migrating: Postgres;

beforeAll(async () => {
  [database, analytics] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  env = {
    PLACARD_POSTGRES_URL: database.url,
    PLACARD_POSTGRES_OWNER_URL: database.ownerUrl,
    PLACARD_CLICKHOUSE_URL: analytics.url,
    PLACARD_CORE_PORT: String(await freePort()),
    PLACARD_DELIVERY_PORT: String(await freePort()),
    PLACARD_TLS: 'loopback',
    PLACARD_WORKERS: '1',
    PLACARD_DEMO: 'true',
    PLACARD_LOG_FORMAT: 'json',
  };
  first = await startPlacard({ dataDir, env, demoHistory: 'none' });
  await first.stop();
  migrating = new Postgres({ connectionString: database.ownerUrl });
  await migrating.connect();
}, 300_000);

afterAll(async () => {
  await migrating.end();
  await (await starting?.catch(() => null))?.stop();
  await removeDataDir(dataDir);
  await analytics.close();
  await database.close();
}, 300_000);

test('ads are served while a migration hangs, and the core is ready when it has ended', async () => {
  await migrating.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK.toString()]);
  let isReady = false;
  starting = startPlacard({ dataDir, env, demoHistory: 'none' });
  starting.then(
    () => {
      isReady = true;
    },
    () => undefined,
  );
  const client = createClient(null);
  const bid = async (): Promise<number> => {
    const json = {
      id: 'while-it-hangs',
      imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
      site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
    };
    const url = `${first.deliveryUrl}/${first.demo.networkId}/bid`;
    return (await client.send(url, { json }).catch(() => ({ status: 0 }))).status;
  };
  const waits = async (): Promise<boolean> => {
    const { rows } = await migrating.query('SELECT 1 FROM pg_locks WHERE locktype = $1 AND NOT granted', ['advisory']);
    return rows.length > 0;
  };
  await expect.poll(bid, { timeout: 120_000 }).toBe(200);
  await expect.poll(waits, { timeout: 120_000 }).toBe(true);
  await expect.poll(bid).toBe(200);
  expect(isReady).toBe(false);
  await migrating.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK.toString()]);
  const again = await starting;
  await expect.poll(bid).toBe(200);
  const ready = async (): Promise<number> => (await client.send(`${again.coreUrl}/readyz`)).status;
  await expect.poll(ready, { timeout: 120_000 }).toBe(200);
  client.close();
}, 300_000);
