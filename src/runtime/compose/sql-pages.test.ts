/** Pages of a SELECT by LIMIT and OFFSET, over a real store. */
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { randomEvent, seeded } from '../../reports/fixtures/random-events.ts';
import { openReportsServer, type ReportsServer } from '../../reports/fixtures/reports-server.ts';
import { type SqlEndpoint, startSqlEndpoint } from '../../sql-endpoint/sql-endpoint.ts';
import { callsOf } from './sql-endpoint.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

let server: ReportsServer;
let endpoint: SqlEndpoint;
let client: Client;

beforeAll(async () => {
  server = await openReportsServer();
  const random = seeded(17);
  const events = Array.from({ length: 40 }, () => randomEvent(random));
  // Each event twice, so that rows of single events are ties in every order.
  await server.insert([...events, ...events.map(({ event_id: _id, ...event }) => event)]);
  endpoint = await startSqlEndpoint({
    bind: '127.0.0.1',
    port: 0,
    tls: null,
    isPlainAllowed: false,
    connectionsMax: 10,
    connectionsPerNetworkMax: 5,
    callReports: callsOf(server.app),
    isCallerKnown: () => Promise.resolve(true),
    log: silentLog,
    nowMs: Date.now,
  });
  client = new Client({ host: '127.0.0.1', port: endpoint.port, user: 'u', password: 'p', database: '1' });
  await client.connect();
}, 60_000);
afterAll(async () => {
  await client.end();
  await endpoint.stop();
  await server.close();
});

const rowsOf = async (text: string): Promise<string[]> =>
  (await client.query(text)).rows.map((row: unknown) => JSON.stringify(row));

const RANGE = "time >= '2026-03-01' AND time < '2026-05-20'";
const SELECTS = [
  `SELECT country, line_item_id, MEASURE(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1, 2`,
  `SELECT date_trunc('day', time) AS t, MEASURE(clicks) AS n FROM delivery WHERE ${RANGE} GROUP BY 1`,
  `SELECT date_bin('3 hours', time, timestamp '2001-01-01') AS t, MEASURE(requests) AS n FROM delivery WHERE ${RANGE} GROUP BY 1`,
  `SELECT country, impressions AS n FROM delivery WHERE ${RANGE}`,
  `SELECT country, n FROM (SELECT country, MEASURE(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1) AS s`,
];
const ORDERS = ['', ' ORDER BY 1', ' ORDER BY 1 DESC', ' ORDER BY n', ' ORDER BY n DESC, 1'];

test('pages of any sizes in any order concatenate to the whole result, and COUNT(*) is its number of rows', async () => {
  // Shares of the result, so that a property asks for 20 pages at most.
  const sizes = fc.array(fc.double({ min: 0.05, max: 0.6, noNaN: true }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SELECTS), fc.constantFrom(...ORDERS), sizes, async (select, order, shares) => {
      const whole = await rowsOf(`${select}${order}`);
      expect(whole.length).toBeGreaterThan(1);
      const pages: string[] = [];
      for (let page = 0; pages.length < whole.length; page += 1) {
        const limit = Math.max(1, Math.ceil((shares[page % shares.length] ?? 1) * whole.length));
        const found = await rowsOf(`${select}${order} LIMIT ${limit} OFFSET ${pages.length}`);
        expect(found.length).toBe(Math.min(limit, whole.length - pages.length));
        pages.push(...found);
      }
      expect(pages).toEqual(whole);
      const [counted] = await rowsOf(`SELECT COUNT(*) AS n FROM (${select}) AS counted`);
      expect(counted).toBe(JSON.stringify({ n: String(whole.length) }));
    }),
    { numRuns: runsOf(15) },
  );
}, 60_000);
