import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { readSettings } from '../../config/settings.ts';
import { withStores } from './borrow-stores.ts';
import { acquireDataLock, DataFolderLockedError } from './data-lock.ts';
import { isSameProcessRunning } from './process-identity.ts';
import { readChildren, writeEndpoints } from './run-files.ts';

const modulePath = fileURLToPath(new URL('fixtures/part.ts', import.meta.url));
const log = SILENT_LOG;
let dataDir: string;

function borrow(env: Record<string, string> = {}, analytics = false): Parameters<typeof withStores>[0] {
  return { settings: readSettings({ PLACARD_DATA: dataDir, ...env }), log, modulePath, needs: { analytics } };
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'placard-borrow-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

test('borrow-stores runs PostgreSQL for the duration and locks the data folder when nothing else runs', async () => {
  let children: ReturnType<typeof readChildren> = [];
  const result = await withStores(borrow(), async ({ postgresUrl, clickhouseUrl }) => {
    expect(clickhouseUrl).toBeNull();
    children = readChildren(dataDir);
    await expect(withStores(borrow(), () => Promise.resolve())).rejects.toBeInstanceOf(DataFolderLockedError);
    const client = new Client({ connectionString: postgresUrl });
    await client.connect();
    const result = await client.query<{ two: number }>('select 1 + 1 as two');
    await client.end();
    return result.rows[0]?.two;
  });
  expect(result).toBe(2);
  expect(children.map((child) => child.name)).toEqual(['postgres']);
  expect(children.filter(isSameProcessRunning)).toEqual([]);
  acquireDataLock(dataDir).release();
});

test('a failure of the work still stops the started stores', async () => {
  let children: ReturnType<typeof readChildren> = [];
  const work = withStores(borrow({ PLACARD_POSTGRES_URL: 'postgres://127.0.0.1/x' }, true), () => {
    children = readChildren(dataDir);
    return Promise.reject(new Error('work failed'));
  });
  await expect(work).rejects.toThrow('work failed');
  expect(children.map((child) => child.name)).toEqual(['analytics']);
  expect(children.filter(isSameProcessRunning)).toEqual([]);
  acquireDataLock(dataDir).release();
});

test('borrow-stores uses stores named by address as they are', async () => {
  const env = { PLACARD_POSTGRES_URL: 'postgres://db.example/x', PLACARD_CLICKHOUSE_URL: 'https://ch.example' };
  expect(await withStores(borrow(env, true), (stores) => Promise.resolve(stores))).toEqual({
    postgresUrl: 'postgres://db.example/x',
    postgresOwnerUrl: null,
    clickhouseUrl: 'https://ch.example',
    redisUrl: null,
  });
});

test('borrow-stores uses the stores of a running instance', async () => {
  const lock = acquireDataLock(dataDir);
  const endpoints = {
    bind: '127.0.0.1',
    corePort: 1,
    deliveryPort: 2,
    sqlPort: null,
    corePublicUrl: 'https://localhost:1',
    deliveryPublicUrl: 'https://localhost:2',
    postgresUrl: 'postgres://127.0.0.1:3/placard',
    postgresOwnerUrl: null,
    clickhouseUrl: 'http://127.0.0.1:4',
    redisUrl: null,
  };
  writeEndpoints(dataDir, endpoints);
  expect(await withStores(borrow(), (stores) => Promise.resolve(stores))).toMatchObject({
    postgresUrl: endpoints.postgresUrl,
  });
  lock.release();
});

test('borrow-stores works while the configured ports are taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = String(typeof address === 'object' ? address?.port : 0);
  const env = { PLACARD_CORE_PORT: port, PLACARD_TLS: 'loopback', PLACARD_POSTGRES_URL: 'postgres://127.0.0.1/x' };
  const stores = await withStores(borrow(env, true), (found) => Promise.resolve(found));
  expect(stores.clickhouseUrl).toMatch(/^http:\/\/placard:[0-9a-f]{32}@127\.0\.0\.1:\d+$/);
  taken.close();
});
