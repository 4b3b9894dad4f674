/** An analytics store that came back empty is noticed: it is told, events wait for an operator, and no budget is spent by its counters. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../support/http-client.ts';
import {
  makeDataDir,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
} from '../support/placard-process.ts';
import {
  createTestDatabase,
  createTestOlapDatabase,
  type TestDatabase,
  type TestOlapDatabase,
} from '../support/stores.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const EVENTS = 12;
const WAIT_MS = 120_000;
const dataDir = makeDataDir();
let database: TestDatabase;
let store: TestOlapDatabase;
let placard: PlacardProcess;
let client: Client;

beforeAll(async () => {
  [database, store] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  placard = await start();
  client = createClient(placard.ca);
}, 300_000);

afterAll(async () => {
  client.close();
  await placard.stop();
  await database.close();
  await store.close();
  await removeDataDir(dataDir);
});

const environment = (): Record<string, string> => ({
  PLACARD_DATA: dataDir,
  PLACARD_POSTGRES_URL: database.url,
  PLACARD_CLICKHOUSE_URL: store.url,
  PLACARD_WORKERS: '1',
  PLACARD_DEMO: 'true',
  PLACARD_LOG_FORMAT: 'json',
});

const start = (): Promise<PlacardProcess> => startPlacard({ dataDir, env: environment(), demoHistory: 'none' });

async function emptyStore(): Promise<void> {
  const tables = await store.olap.query<{ name: string }>({
    sql: 'SELECT name FROM system.tables WHERE database = currentDatabase()',
  });
  for (const { name } of tables) await store.olap.command(`DROP TABLE IF EXISTS ${name} SYNC`);
}

async function fireImpressions(): Promise<void> {
  const network = `${placard.deliveryUrl}/${placard.demo.networkId}`;
  for (let at = 0; at < EVENTS; at += 1) {
    const json = {
      id: `lost-${performance.now()}`,
      imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
      site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
    };
    let token: string | undefined;
    await expect
      .poll(
        async () => {
          const { text } = await client.send(`${network}/bid`, { json, headers: BROWSER });
          return (token = /\/imp\/([\w.-]+)/.exec(text)?.[1]);
        },
        { timeout: WAIT_MS },
      )
      .toBeDefined();
    expect((await client.send(`${network}/imp/${token}`, { headers: BROWSER })).status).toBe(200);
  }
}

async function countStored(): Promise<number> {
  const [row] = await store.olap.query<{ rows: string }>({
    sql: "SELECT count() AS rows FROM events WHERE kind = 'impression'",
  });
  return Number(row?.rows ?? 0);
}

/** The status of a readiness check, and the details of failed checks and of the analytics store. */
async function readiness(url: string): Promise<string> {
  const { status, text } = await client.send(`${url}/readyz`);
  const { checks } = JSON.parse(text) as { checks: { name: string; ok: boolean; detail?: string }[] };
  const shown = checks.filter(({ name, ok }) => !ok || name === 'analytics events');
  return `${status} ${shown.map(({ name, detail = '' }) => `${name}: ${detail}`).join('; ')}`;
}

test('an analytics store that came back empty is told, and events wait until an operator accepts it', async () => {
  await fireImpressions();
  await expect.poll(countStored, { timeout: WAIT_MS }).toBe(EVENTS);
  const marked = async (): Promise<bigint | null | undefined> =>
    (await database.db.selectFrom('analytics_marks').select('rows').executeTakeFirst())?.rows;
  await expect.poll(async () => Number(await marked()), { timeout: WAIT_MS }).toBeGreaterThanOrEqual(EVENTS);
  await placard.stop();
  await emptyStore();
  placard = await start();
  for (const url of [placard.coreUrl, placard.deliveryUrl])
    await expect
      .poll(() => readiness(url), { timeout: WAIT_MS })
      .toMatch(/^200 analytics events: the analytics store lacks events: it is new, and it holds 0 of/);

  await fireImpressions();
  const verified = await runPlacard(['verify-counts'], environment());
  expect(verified.code).toBe(1);
  expect(verified.out).toContain('The analytics store lacks events: it is new');
  expect((await runPlacard(['doctor'], environment())).out).toMatch(/FAILED +analytics events +it is new/);
  expect(await countStored()).toBe(0);

  expect((await runPlacard(['stores', 'accept'], environment())).out).toContain('Accepted.');
  await expect.poll(countStored, { timeout: WAIT_MS }).toBe(EVENTS);
  expect((await runPlacard(['stores', 'show'], environment())).code).toBe(0);
  await expect.poll(() => readiness(placard.coreUrl), { timeout: WAIT_MS }).toBe('200 analytics events: ');
}, 400_000);

test('counters that are lost with the analytics store are not rebuilt from it before an operator accepts it', async () => {
  await placard.stop();
  await emptyStore();
  rmSync(join(dataDir, 'ledger'), { recursive: true });
  const output: string[] = [];
  const starting = startPlacard({
    dataDir,
    env: environment(),
    demoHistory: 'none',
    onOutput: (text) => output.push(text),
  });
  await expect
    .poll(() => output.join(''), { timeout: WAIT_MS })
    .toMatch(/hot_store\.rebuild_failed.*The analytics store lacks events/);
  expect(output.join('')).not.toContain('hot_store.rebuilt');
  expect((await runPlacard(['stores', 'accept'], environment())).code).toBe(0);
  placard = await starting;
  expect(placard.output()).toContain('hot_store.rebuilt');
}, 400_000);
