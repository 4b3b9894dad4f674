import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openReportsServer, type ReportsServer } from './fixtures/reports-server.ts';
import { READ_SETTINGS } from './load/load-query.ts';
import { SLOT_LIMITS } from './load/query-slots.ts';
import { CAMPAIGN_OVERVIEW } from './model/campaign-overview.olap.ts';
import type { CubeDefinition } from './model/cube.ts';

const DAY = '2026-01-10';

/** The same members over rows that never end, and over many groups. */
function cubeOver(name: string, rows: string): CubeDefinition {
  const from = `(SELECT {workspaceId:UInt32} AS workspace_id, toDateTime('${DAY} 10:00:00', 'UTC') AS time, number AS creative_id, sipHash64(number) % 7 AS impressions FROM ${rows})`;
  return { ...CAMPAIGN_OVERVIEW, name, relations: [{ name, from, bucketSeconds: 900, lacks: [] }] };
}

const MODEL = {
  cubes: [CAMPAIGN_OVERVIEW, cubeOver('endless', 'numbers(1000000000000)'), cubeOver('wide', 'numbers(20000000)')],
};
const query = (cube: string, more: object = {}): object => ({
  measures: [`${cube}.impressions`],
  timeDimensions: [{ dimension: `${cube}.time`, dateRange: [DAY, DAY] }],
  ...more,
});
/** The same question under another name, so that it does not join one that runs. */
const endless = (limit: number): object => query('endless', { limit });

let server: ReportsServer;
const hangUps: AbortController[] = [];

beforeAll(async () => {
  server = await openReportsServer({
    model: MODEL,
    timing: { plainTimeoutMs: 100_000, continueWaitMs: 300, cubeTimeoutMs: 100_000, polledMs: 6_000 },
    settings: { ...READ_SETTINGS, max_memory_usage: 60_000_000, max_bytes_before_external_group_by: 0 },
  });
  await server.insert([{ time: `${DAY} 10:00:00.000`, workspace_id: 2 }]);
});
afterAll(() => server.close());
afterEach(async () => {
  for (const hangUp of hangUps.splice(0)) hangUp.abort();
  await expect.poll(runningStatements, { timeout: 60_000 }).toBe(0);
});

/** Asks and does not wait; what comes of it is of no interest. */
function begin(asked: object, options: { network?: number; multi?: boolean } = {}): AbortController {
  const hangUp = new AbortController();
  hangUps.push(hangUp);
  server.load(asked, { ...options, signal: hangUp.signal }).catch(() => undefined);
  return hangUp;
}

async function runningStatements(): Promise<number> {
  const [row] = await server.analytics.olap.query<{ n: string }>({
    sql: `SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%system.processes%'`,
  });
  return Number(row?.n);
}

const patience = { timeout: 60_000 };

describe('a heavy report', () => {
  test('heavy reports of one network wait and leave capacity for the reports of others', async () => {
    for (let limit = 1; limit <= 8; limit += 1) begin(endless(limit));
    await expect.poll(runningStatements, patience).toBe(SLOT_LIMITS.runningPerNetworkMax);
    const response = await server.load(query('campaign_overview'), { network: 2 });
    expect(await response.json()).toMatchObject({ data: [{ 'campaign_overview.impressions': '1' }] });
    expect(await runningStatements()).toBe(SLOT_LIMITS.runningPerNetworkMax);
    expect(server.slots.stats()).toEqual({ running: 2, waiting: 6 });
  });

  test('a report ends in the store when its client hangs up, and the next one begins', async () => {
    const first = [begin(endless(1)), begin(endless(2))];
    await expect.poll(runningStatements, patience).toBe(2);
    begin(endless(3));
    await expect.poll(() => server.slots.stats().waiting).toBe(1);
    first[0]?.abort();
    await expect.poll(() => server.slots.stats(), patience).toEqual({ running: 2, waiting: 0 });
    first[1]?.abort();
    await expect.poll(runningStatements, patience).toBe(1);
  });

  test('a report continues while one of its two callers waits, and ends with the last', async () => {
    const [one, other] = [begin(endless(1)), begin(endless(1))];
    await expect.poll(runningStatements, patience).toBe(1);
    one.abort();
    await expect.poll(runningStatements, patience).toBe(1);
    expect(server.slots.stats().running).toBe(1);
    other.abort();
    await expect.poll(runningStatements, patience).toBe(0);
  });

  test('a report that needs too much memory is refused with a message', async () => {
    const response = await server.load(query('wide', { dimensions: ['wide.creative_id'], limit: 5 }));
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'query_too_complex', error: expect.stringMatching(/memory/) },
    ]);
  });
});

test('a query text with too many parts is refused before it is parsed', async () => {
  const response = await server.load(`[${'{},'.repeat(300_000)}{}]`);
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { code: 'invalid_request', error: expect.stringContaining('more than 200000') },
  ]);
});

// Conformance: Q7
describe('a query that outruns its budget', () => {
  test('a slow query gets 504 with Retry-After, and ends in the store', async () => {
    const quick = await openReportsServer({ model: MODEL, timing: { plainTimeoutMs: 500 } });
    try {
      const response = await quick.load(endless(1));
      expect([response.status, response.headers.get('retry-after')]).toEqual([504, '5']);
      expect(await response.json()).toMatchObject({
        code: 'query_timeout',
        error: expect.stringMatching(/longer than/),
      });
      await expect.poll(runningStatements, patience).toBe(0);
    } finally {
      await quick.close();
    }
  });

  test('Cube clients get "Continue wait" for a slow query, which runs once and ends when they stop asking', async () => {
    for (let time = 0; time < 3; time += 1) {
      const response = await server.load(endless(1), { multi: true });
      expect([response.status, await response.json()]).toEqual([200, { error: 'Continue wait' }]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(await runningStatements()).toBe(1);
    await expect.poll(runningStatements, patience).toBe(0);
  });
});
