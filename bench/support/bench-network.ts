import pg from 'pg';

export const BENCH_NETWORK_ID = '2000';

/** Line items of one district: as many share 4 sites and 20 ad units. */
export const DISTRICT = 1_000;

/**
 * Books a network for measuring: 10 advertisers, 50 campaigns and `lineItems` line items over the tiers. Every 1,000 of them have 4
 * sites and 20 ad units of their own (a district) and a mix of targeting there: a fifth by ad unit, a tenth each by site, by
 * key-value and by country. The rest is untargeted in the first district, so that it runs everywhere, and by site in the others.
 * @param more statements that change it, with the workspace as $1
 */
export async function bookBenchNetwork(
  postgresUrl: string,
  lineItems: number,
  more: readonly string[] = [],
): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    const run = (text: string, values: unknown[] = []): Promise<unknown> => client.query(text, values);
    await run(
      `INSERT INTO networks (id, name, currency, settings) VALUES ($1, 'Bench', 'EUR', '{"limits":{"ads":1000000,"events":1000000000}}') ON CONFLICT DO NOTHING`,
      [BENCH_NETWORK_ID],
    );
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO workspaces (network_id, environment) VALUES ($1, 'production') RETURNING id`,
      [BENCH_NETWORK_ID],
    );
    const workspace = rows[0]?.id;
    for (const statement of [...STATEMENTS, ...more])
      await run(statement, statement.includes('$2') ? [workspace, lineItems] : [workspace]);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** Makes all line items STANDARD with one goal and no targeting: they compete for every ad unit. */
export const MAKE_EQUAL = `UPDATE line_items SET type = 'STANDARD', level = 8, share_percent = NULL, targeting = NULL, price_micros = 1000000,
  goal = '{"kind":"IMPRESSIONS","amount":100000000,"period":"LIFETIME"}' WHERE workspace_id = $1`;

/** $1 is the workspace, $2 the number of line items. */
const STATEMENTS: readonly string[] = [
  `INSERT INTO sites (workspace_id, id, code, name, domain) SELECT $1, 1000 + n, 'site-' || n, 'Site ' || n, 'bench.example' FROM generate_series(0, 4 * GREATEST(1, $2::int / 1000) - 1) n`,
  `INSERT INTO ad_units (workspace_id, id, site_id, name, sizes, media_types)
   SELECT $1, 1000 + n, 1000 + n / 20 * 4 + n % 4, 'unit-' || n, '[{"width":300,"height":250},{"width":300,"height":600}]', '{banner}' FROM generate_series(0, 20 * GREATEST(1, $2::int / 1000) - 1) n`,
  `INSERT INTO advertisers (workspace_id, id, name, domains, dsa_behalf, dsa_paid)
   SELECT $1, 1000 + n, 'Advertiser ' || n, ARRAY['advertiser' || n || '.example'], 'Advertiser ' || n, 'Advertiser ' || n FROM generate_series(0, 9) n`,
  `INSERT INTO campaigns (workspace_id, id, advertiser_id, name, status) SELECT $1, 1000 + n, 1000 + n % 10, 'Campaign ' || n, 'ACTIVE' FROM generate_series(0, 49) n`,
  `INSERT INTO line_items (workspace_id, id, campaign_id, name, status, type, level, share_percent, goal, pricing_model, price_micros, serve_without_user, targeting)
   SELECT $1, 100000 + n, 1000 + n % 50, 'Line item ' || n, 'ACTIVE',
     CASE WHEN n % 50 = 0 THEN 'SPONSORSHIP' WHEN n % 10 < 3 THEN 'STANDARD' WHEN n % 10 = 9 THEN 'HOUSE' ELSE 'PRICE' END, 8,
     CASE WHEN n % 50 = 0 THEN 5 WHEN n % 10 = 9 THEN 50 END,
     CASE WHEN n % 10 < 3 THEN '{"kind":"IMPRESSIONS","amount":100000,"period":"DAY"}'::jsonb END,
     'CPM', 1000000 + (n * 7919 % 9000) * 1000, true,
     CASE
       WHEN n % 10 = 1 THEN jsonb_build_object('dimension', 'adUnit', 'operator', 'is', 'values', jsonb_build_array((1000 + d * 20 + n % 20)::text))
       WHEN n % 10 = 2 THEN jsonb_build_object('dimension', 'adUnit', 'operator', 'is', 'values', jsonb_build_array((1000 + d * 20 + n % 20)::text, (1000 + d * 20 + (n + 7) % 20)::text))
       WHEN n % 10 = 4 THEN jsonb_build_object('all', jsonb_build_array(
         jsonb_build_object('dimension', 'site', 'operator', 'isNot', 'values', jsonb_build_array((1000 + d * 4 + n % 4)::text)),
         jsonb_build_object('dimension', 'keyValue', 'operator', 'is', 'key', 'section', 'values',
           CASE WHEN d = 0 THEN '["news","sport"]'::jsonb ELSE jsonb_build_array('topic-' || n % 200) END)))
       WHEN n % 10 = 5 THEN jsonb_build_object('dimension', 'country', 'operator', 'is', 'values', jsonb_build_array('PL', 'DE'))
       WHEN n % 10 = 3 OR d > 0 THEN jsonb_build_object('dimension', 'site', 'operator', 'is', 'values', jsonb_build_array((1000 + d * 4 + n % 4)::text))
     END
   FROM generate_series(1, $2) n, LATERAL (SELECT (n - 1) / 1000 AS d) district`,
  `INSERT INTO creatives (workspace_id, line_item_id, name, format, width, height, content, click_url)
   SELECT $1, id, 'Creative', 'IMAGE', 300, 250, '{"format":"IMAGE","imageUrl":"https://cdn.bench.example/picture.png","alt":"A picture"}', 'https://www.advertiser.example/landing'
   FROM line_items WHERE workspace_id = $1`,
];
