/** The SQL endpoint shows a network nothing of another one, whatever a statement names (K7). */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openTwoNetworks, type Tenant, type TwoNetworks } from '../support/two-networks.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** An activity of the holder: its name is in the names of its columns. */
const SECRET = 'holdersecret';
const RANGE = "time >= current_date - INTERVAL '1 day'";

let api: TwoNetworks;
beforeAll(async () => {
  api = await openTwoNetworks();
  const input = { advertiserId: api.holder.ids.get('advertiser'), actgid: SECRET, name: SECRET };
  const made = await api.graphql(
    api.holder,
    'mutation ($input: CreateActivityInput!) { createActivity(input: $input) { __typename } }',
    { input },
  );
  expect(made.text).not.toContain('"errors":[{');
  await showAd(api.holder);
  await eventually(
    () => rowsOf(api.holder, `SELECT MEASURE(impressions) AS shown FROM delivery WHERE ${RANGE}`),
    (rows) => Number(rows[0]?.['shown']) > 0,
  );
}, 300_000);
afterAll(() => api?.close(), 60_000);

/** Serves and shows one ad. */
async function showAd(tenant: Tenant): Promise<void> {
  const ask = () =>
    api.send(`${api.server.deliveryUrl}/${tenant.networkId}/bid`, {
      headers: { 'user-agent': BROWSER },
      json: {
        id: `isolation-${Math.random()}`,
        imp: [{ id: '1', tagid: 'unit', banner: { format: [{ w: 300, h: 250 }] } }],
        site: { id: 'code', domain: 'n.example' },
      },
    });
  const response = await eventually(ask, ({ status }) => status === 200);
  const bid = response.json<{ seatbid: { bid: { ext: { ems_link: string } }[] }[] }>().seatbid[0]?.bid[0];
  await api.send(bid?.ext.ems_link ?? '', { headers: { 'user-agent': BROWSER } });
}

type Rows = readonly Readonly<Record<string, unknown>>[];

async function rowsOf(tenant: Tenant, text: string, over: Readonly<Record<string, unknown>> = {}): Promise<Rows> {
  const { database = tenant.networkId, values } = over;
  const client = new Client({
    host: '127.0.0.1',
    port: api.server.sqlPort ?? 0,
    user: 'analyst',
    password: tenant.key,
    database: String(database),
    ssl: { ca: api.server.ca, servername: 'localhost' },
  });
  await client.connect();
  try {
    return (await client.query(text, values as unknown[] | undefined)).rows as Rows;
  } finally {
    await client.end();
  }
}

const outcome = (text: string, over?: Readonly<Record<string, unknown>>): Promise<unknown> =>
  rowsOf(api.stranger, text, over).catch((error: { readonly code: string; readonly message: string }) => ({
    code: error.code,
    message: error.message,
  }));

describe('a stranger at the SQL endpoint', () => {
  test.each([
    ['the database name', 'SELECT 1', { database: '2000' }],
    ['the staging database', 'SELECT 1', { database: '2000_staging' }],
  ])('%s of the holder opens no session', async (_what, text, over) => {
    expect(await outcome(text, over)).toMatchObject({ code: '28P01' });
  });

  test.each([
    ['a filter', `SELECT MEASURE(impressions) AS n FROM delivery WHERE ${RANGE} AND network_id = '2000'`, undefined],
    [
      'a filter with OR',
      `SELECT line_item_id FROM delivery WHERE ${RANGE} AND (network_id = '2000' OR true) GROUP BY 1`,
      undefined,
    ],
    ['a parameter', `SELECT line_item_id FROM delivery WHERE ${RANGE} AND network_id = $1 GROUP BY 1`, ['2000']],
    [
      'a text that ends the statement',
      `SELECT line_item_id FROM delivery WHERE ${RANGE} AND country = $1 GROUP BY 1`,
      [`' OR workspace_id = 1 --`],
    ],
    ['single rows', `SELECT line_item_id, impressions FROM delivery WHERE ${RANGE}`, undefined],
  ])('%s gives no row of the holder', async (_what, text, values) => {
    const rows = (await outcome(text, { values })) as Rows;
    expect(rows.filter((row) => Number(Object.values(row)[0] ?? 0) > 0)).toEqual([]);
  });

  test.each([
    ['another database', `SELECT line_item_id FROM "2000".public.delivery WHERE ${RANGE}`],
    ['another schema', `SELECT line_item_id FROM "2000".delivery WHERE ${RANGE}`],
    ['a quoted name', `SELECT line_item_id FROM "delivery WHERE network_id = 2000 --" WHERE ${RANGE}`],
    [
      'UNION',
      `SELECT line_item_id FROM delivery WHERE ${RANGE} UNION ALL SELECT line_item_id FROM "2000".public.delivery`,
    ],
    [
      'a subquery',
      `SELECT line_item_id FROM delivery WHERE ${RANGE} AND line_item_id IN (SELECT id::text FROM line_items)`,
    ],
    ['a table of the service', 'SELECT * FROM public.line_items'],
    ['a table of the analytics store', 'SELECT * FROM events'],
    ['a CTE', `WITH delivery AS (SELECT * FROM "2000".public.delivery) SELECT * FROM delivery`],
    ['a setting', 'SET search_path TO holder; SELECT * FROM line_items'],
    ['a column of the holder', `SELECT MEASURE(activity_${SECRET}_count) FROM delivery WHERE ${RANGE}`],
  ])('%s is refused', async (_what, text) => {
    expect(await outcome(text)).toMatchObject({ code: expect.stringMatching(/^(?:0A000|42P01|42703)$/) });
  });

  test.each([
    ['columns', 'SELECT * FROM information_schema.columns'],
    ['attributes', 'SELECT attname FROM pg_attribute'],
    ['comments', 'SELECT description FROM pg_description'],
    ['databases', 'SELECT datname FROM pg_database'],
    ['roles', 'SELECT rolname FROM pg_roles'],
    ['settings', 'SELECT name, setting FROM pg_settings'],
    ['activity', 'SELECT * FROM pg_stat_activity'],
    ['statistics', 'SELECT * FROM pg_stats'],
  ])('the catalog of %s names nothing of the holder or of the service', async (_what, text) => {
    // The holder's own catalog is read between, as another thread would be.
    const own = await rowsOf(api.holder, `SELECT 1 FROM pg_attribute WHERE attname LIKE '%${SECRET}%'`);
    expect(own.length).toBeGreaterThan(0);
    const found = JSON.stringify(await outcome(text));
    expect(found.includes(SECRET)).toBe(false);
    expect(/"2000"|line_items|api_keys|workspace/.exec(found)).toBeNull();
  });
});
