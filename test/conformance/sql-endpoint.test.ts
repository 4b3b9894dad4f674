/** The SQL endpoint: clients of PostgreSQL read the reports, and nothing else. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, type ClientConfig, Pool, type QueryConfig, types } from 'pg';
import { describe, expect, test } from 'vitest';
import { load, server } from './support/server.ts';

const hasEndpoint = server.sqlPort !== null;
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const [FROM, UNTIL] = [dayBefore(7), dayBefore(0)];
const RANGE = `time >= '${FROM}' AND time < '${UNTIL}'`;
const TOP = `SELECT line_item_name, MEASURE(impressions) AS shown FROM delivery WHERE ${RANGE} GROUP BY 1 ORDER BY 2 DESC LIMIT 10`;

const CONFIG: ClientConfig = {
  host: '127.0.0.1',
  port: server.sqlPort ?? 0,
  user: 'analyst',
  password: server.demo.keys.reports,
  database: server.demo.networkId,
  ssl: server.ca === null ? false : { ca: server.ca, servername: 'localhost' },
  // Times stay as they came: they are on the clocks of the network.
  types: {
    getTypeParser: (oid) => (oid === 1114 ? (text: string) => text : types.getTypeParser(oid, 'text')) as never,
  },
};

async function withClient<T>(work: (client: Client) => Promise<T>, over: ClientConfig = {}): Promise<T> {
  const client = new Client({ ...CONFIG, ...over });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

type Rows = readonly Readonly<Record<string, string | null>>[];
const ask = (text: string, values?: unknown[]): Promise<Rows> =>
  withClient(async (client) => (await client.query(text, values)).rows as Rows);
const refusal = (text: string, values?: unknown[]): Promise<unknown> =>
  ask(text, values).then(
    () => null,
    (error: unknown) => error,
  );

/** The same rows by the Reports API. */
async function loaded(query: Readonly<Record<string, unknown>>): Promise<Rows> {
  const range = { dimension: 'campaign_overview.time', dateRange: [FROM, dayBefore(1)] };
  const response = await load({ timeDimensions: [range], ...query });
  return response.json<{ data: Rows }>().data;
}

describe.skipIf(!hasEndpoint)('the SQL endpoint', () => {
  test('a query gives the rows of the Reports API', async () => {
    const rows = await ask(TOP);
    const expected = await loaded({
      measures: ['campaign_overview.impressions'],
      dimensions: ['campaign_overview.line_item_name'],
      order: [['campaign_overview.impressions', 'desc']],
      limit: 10,
    });
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.map((row) => [row['line_item_name'], row['shown']])).toEqual(
      expected.map((row) => [row['campaign_overview.line_item_name'], row['campaign_overview.impressions']]),
    );
  });

  test('a prepared query with parameters gives the rows of the same query without', async () => {
    const text = `SELECT country, MEASURE(clicks) FROM delivery
      WHERE time >= $1 AND time < $2 AND country = ANY($3) AND line_item_id <> $4 GROUP BY country ORDER BY country LIMIT $5`;
    const rows = await ask(text, [FROM, UNTIL, ['PL', 'DE'], 7, 5]);
    const plain = `SELECT country, MEASURE(clicks) FROM delivery
      WHERE ${RANGE} AND country IN ('PL', 'DE') AND line_item_id <> '7' GROUP BY 1 ORDER BY 1 LIMIT 5`;
    expect(rows.map(({ country }) => country)).toEqual(['DE', 'PL']);
    expect(rows).toEqual(await ask(plain));
  });

  test('a binary result has the values of the text', async () => {
    const text = `SELECT date_trunc('day', time) AS day, MEASURE(revenue) AS revenue, MEASURE(ctr) AS ctr, MEASURE(clicks)::float8 AS clicks, npa
      FROM delivery WHERE ${RANGE} GROUP BY 1, 5 ORDER BY 1, 5`;
    const [asText, asBinary] = await withClient(async (client) => [
      (await client.query(text)).rows as Record<string, unknown>[],
      (await client.query({ text, binary: true } as QueryConfig)).rows as Record<string, unknown>[],
    ]);
    const plain = (rows: readonly Record<string, unknown>[]): unknown[] =>
      rows.map(({ revenue, ctr, clicks, npa }) => [Number(revenue), Number(ctr), clicks, npa]);
    expect(asText.length).toBeGreaterThan(6);
    expect(plain(asBinary)).toEqual(plain(asText));
  });

  test('hours of a zone that the statement names add up to the days of the session', async () => {
    const totals = await withClient(async (client) => {
      await client.query("SET TIME ZONE 'Asia/Kolkata'");
      const days = await client.query<{ day: string; shown: string }>(
        `SELECT time::date::text AS day, MEASURE(impressions) AS shown FROM delivery WHERE ${RANGE} GROUP BY 1 ORDER BY 1`.replace(
          '::text',
          '',
        ),
      );
      const hours = await client.query<{ shown: string }>(
        `SELECT date_trunc('hour', time AT TIME ZONE 'Asia/Kolkata'), MEASURE(impressions) AS shown FROM delivery WHERE ${RANGE} GROUP BY 1`,
      );
      return [days.rows, hours.rows].map((rows) => rows.reduce((sum, { shown }) => sum + Number(shown), 0));
    });
    expect(totals[0]).toBeGreaterThan(0);
    expect(totals[1]).toBe(totals[0]);
  });

  test('a comparison and its opposite leave missing values out', async () => {
    const count = async (condition: string): Promise<number> =>
      Number((await ask(`SELECT MEASURE(requests) AS n FROM delivery WHERE ${RANGE} AND ${condition}`))[0]?.['n'] ?? 0);
    const [all, equal, other, missing] = [
      await count('true'),
      await count("deal_name ILIKE 'n%'"),
      await count("NOT deal_name ILIKE 'n%'"),
      await count('deal_name IS NULL'),
    ];
    expect(missing).toBeGreaterThan(0);
    expect(equal + other + missing).toBe(all);
  });

  test('rows come in portions where a client asks for portions', async () => {
    const [rows, suspended] = await withClient(async (client) => {
      const { connection } = client as unknown as { readonly connection: NodeJS.EventEmitter };
      let portions = 0;
      connection.on('portalSuspended', () => {
        portions += 1;
      });
      const text = TOP.replace('LIMIT 10', 'LIMIT 5');
      const result = await client.query({ text, rows: 2 } as QueryConfig);
      return [result.rows as Rows, portions];
    });
    expect(suspended).toBe(2);
    expect(rows).toEqual((await ask(TOP)).slice(0, 5));
  });

  test('a pool serves many statements at a time', async () => {
    const pool = new Pool({ ...CONFIG, max: 5 });
    const results = await Promise.all(Array.from({ length: 20 }, () => pool.query(TOP)));
    await pool.end();
    expect(new Set(results.map(({ rowCount }) => rowCount)).size).toBe(1);
  });

  test('a query builder reads reports and lists tables', async () => {
    const db = new Kysely<{ delivery: { country: string; time: string } }>({
      dialect: new PostgresDialect({ pool: new Pool({ ...CONFIG, max: 1 }) }),
    });
    const rows = await db
      .selectFrom('delivery')
      .select(['country', sql<string>`measure(impressions)`.as('shown')])
      .where('time', '>=', FROM)
      .where('time', '<', UNTIL)
      .groupBy('country')
      .orderBy('shown', 'desc')
      .limit(3)
      .execute();
    const tables = await db.introspection.getTables();
    await db.destroy();
    expect(rows).toHaveLength(3);
    const found = tables.find(({ name }) => name === 'delivery');
    expect(found?.columns.map(({ name, dataType }) => [name, dataType])).toEqual(
      expect.arrayContaining([
        ['time', 'timestamp'],
        ['line_item_name', 'text'],
        ['impressions', 'numeric'],
        ['npa', 'bool'],
      ]),
    );
  });

  test('a failed transaction refuses statements until ROLLBACK', async () => {
    const states = await withClient(async (client) => {
      await client.query('BEGIN');
      const first = await client.query('SELECT nothing FROM delivery').catch((error: { code: string }) => error.code);
      const second = await client.query('SELECT 1').catch((error: { code: string }) => error.code);
      await client.query('ROLLBACK');
      const third = await client.query('SELECT 1 AS one');
      return [first, second, third.rows];
    });
    expect(states).toEqual(['42703', '25P02', [{ one: 1 }]]);
  });

  test.each([
    ['INSERT', 'INSERT INTO delivery (country) VALUES ($1)', '25006'],
    ['UPDATE', "UPDATE delivery SET country = 'x'", '25006'],
    ['DELETE in WITH', 'WITH gone AS (DELETE FROM delivery RETURNING country) SELECT * FROM gone', '25006'],
    ['DDL', 'DROP TABLE delivery', '25006'],
    ['SELECT INTO', 'SELECT relname INTO copy FROM pg_class UNION SELECT relname FROM pg_class', '25006'],
    ['a join', `SELECT 1 FROM delivery a JOIN campaign_overview b ON true`, '0A000'],
    ['UNION', `SELECT country FROM delivery WHERE ${RANGE} UNION SELECT country FROM delivery WHERE ${RANGE}`, '0A000'],
    ['an unknown function', `SELECT stddev(clicks) FROM delivery WHERE ${RANGE}`, '0A000'],
    ['no time', 'SELECT MEASURE(clicks) FROM delivery', '0A000'],
    ['a year', "SELECT MEASURE(clicks) FROM delivery WHERE time >= '2025-01-01' AND time < '2026-01-01'", '22023'],
    ['an unknown column', `SELECT klicks FROM delivery WHERE ${RANGE}`, '42703'],
    ['an unknown table', 'SELECT 1 FROM networks', '42P01'],
    ['a measure without MEASURE', `SELECT country, clicks FROM delivery WHERE ${RANGE} GROUP BY 1`, '42803'],
    ['a column outside of GROUP BY', `SELECT country, MEASURE(clicks) FROM delivery WHERE ${RANGE}`, '42803'],
    [
      'a text instead of a number',
      `SELECT country FROM delivery WHERE ${RANGE} GROUP BY 1 HAVING MEASURE(clicks) > 'x'`,
      '22P02',
    ],
    ['a file of the server', "SELECT pg_read_file('/etc/passwd')", '0A000'],
    ['a program of the server', "COPY delivery TO PROGRAM 'id'", '0A000'],
    ['a long catalog query', 'SELECT count(*) FROM pg_attribute a, pg_attribute b, pg_attribute c', '54001'],
    ['a role of the server', "SELECT set_config('role', 'postgres', false) FROM pg_class", '0A000'],
  ])('%s is refused with a code and what to do', async (_what, text, code) => {
    const error = await refusal(text, text.includes('$1') ? ['x'] : undefined);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^\S.+\.$/) });
  });

  test('an error says where in the statement it is', async () => {
    expect(await refusal("SELECT 'ż', klicks FROM delivery")).toMatchObject({ code: '42703', position: '13' });
  });

  test.each([
    ['a wrong password', { password: `${server.demo.keys.reports}x` }, '28P01'],
    ['a key without the scope', { password: server.demo.keys.delivery }, '42501'],
    ['a key of the other environment', { password: server.demo.keys.staging }, '28P01'],
    ['another network', { database: '2000' }, '28P01'],
    ['a name instead of a network', { database: 'postgres' }, '3D000'],
  ])('%s does not open a session', async (_what, over, code) => {
    const error = await withClient(async () => null, over).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, severity: 'FATAL' });
  });

  test('a pair of login and token, and a key of staging, open a session', async () => {
    const { login, token } = server.demo.credentials;
    const one = (client: Client): Promise<unknown> => client.query('SELECT 1 AS one').then(({ rows }) => rows);
    expect(await withClient(one, { user: login, password: token })).toEqual([{ one: 1 }]);
    const staging = { password: server.demo.keys.staging, database: `${server.demo.networkId}_staging` };
    expect(await withClient(one, staging)).toEqual([{ one: 1 }]);
  });

  test('a connection by an old cipher is refused, as at the other ports', async () => {
    const ssl = {
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.2' as const,
      ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:@SECLEVEL=0',
    };
    await expect(withClient(async () => null, { ssl })).rejects.toThrow();
    const kept = { ...ssl, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256' };
    expect(await withClient(async () => 'open', { ssl: kept })).toBe('open');
  });

  test('bytes after a request for TLS that are not encrypted close the connection', async () => {
    const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
    const closed = await new Promise<string>((resolve) => {
      const socket = connect(server.sqlPort ?? 0, '127.0.0.1', () => socket.write(Buffer.concat([request, request])));
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString('latin1')));
      socket.on('close', () => resolve(received));
    });
    expect(closed).toContain('08P01');
  });
});

/** What Grafana's and Metabase's data sources send, as their sources have it, shortened where they repeat themselves. */
const TOOL_STATEMENTS: readonly (readonly [tool: string, text: string, rows: number])[] = [
  ['Grafana: version', "SELECT current_setting('server_version_num')::int/100 AS version", 1],
  ['Grafana: extension', "SELECT extversion FROM pg_extension WHERE extname = 'timescaledb'", 0],
  [
    'Grafana: tables',
    `SELECT quote_ident(table_name) AS "table" FROM information_schema.tables
     WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog')
       AND table_type IN ('BASE TABLE', 'VIEW', 'FOREIGN TABLE')
       AND quote_ident(table_schema) IN (
         SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
         FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1),
                              array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i,
              string_to_array(current_setting('search_path'), ',') s)`,
    2,
  ],
  [
    'Grafana: columns',
    `SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns
     WHERE quote_ident(table_name) = 'delivery' AND column_name IN ('time', 'clicks')`,
    2,
  ],
  [
    'Grafana: a time series of $__timeGroupAlias and $__timeFilter',
    `SELECT floor(extract(epoch from time AT TIME ZONE 'UTC')/86400)*86400 AS "time", measure(clicks) AS clicks FROM delivery
     WHERE time BETWEEN '${dayBefore(3)}T00:00:00Z' AND '${dayBefore(1)}T23:59:59.999Z' GROUP BY 1 ORDER BY 1`,
    3,
  ],
  [
    'Metabase: privileges',
    `WITH table_privileges AS (
       SELECT NULL AS role, t.schemaname AS schema, t.objectname AS table,
         pg_catalog.has_any_column_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"' || '.' || '"' || replace(t.objectname, '"', '""') || '"', 'select') AS select
       FROM (SELECT schemaname, tablename AS objectname FROM pg_catalog.pg_tables
             UNION SELECT schemaname, viewname AS objectname FROM pg_catalog.pg_views) t
       WHERE t.schemaname !~ '^pg_' AND t.schemaname <> 'information_schema'
         AND pg_catalog.has_schema_privilege(current_user, t.schemaname, 'usage'))
     SELECT t.* FROM table_privileges t WHERE t.select`,
    2,
  ],
  [
    'Metabase: fields',
    `SELECT c.column_name AS name, format('%s', c.udt_name) AS "database-type", c.ordinal_position - 1 AS "database-position",
       col_description(CAST(CAST(format('%I.%I', CAST(c.table_schema AS TEXT), CAST(c.table_name AS TEXT)) AS REGCLASS) AS OID), c.ordinal_position) AS "field-comment"
     FROM information_schema.columns AS c WHERE c.table_schema !~ '^information_schema|catalog_history|pg_' AND c.table_name = 'delivery' AND c.column_name = 'clicks'`,
    1,
  ],
  [
    'Metabase: enumerations',
    'SELECT nspname, typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.oid IN (SELECT DISTINCT enumtypid FROM pg_enum e)',
    0,
  ],
  [
    'Metabase: a question',
    `SELECT "public"."delivery"."country" AS "country", SUM("public"."delivery"."impressions") AS "sum" FROM "public"."delivery"
     WHERE ("public"."delivery"."time" >= DATE_TRUNC('day', (NOW() + INTERVAL '-7 day'))) AND ("public"."delivery"."time" < DATE_TRUNC('day', NOW()))
       AND (LOWER("public"."delivery"."country") LIKE '%p%')
     GROUP BY "public"."delivery"."country" ORDER BY "sum" DESC, "public"."delivery"."country" ASC LIMIT 1`,
    1,
  ],
  [
    'Metabase: a question by months',
    `SELECT CAST(DATE_TRUNC('month', "public"."delivery"."time") AS date) AS "time", SUM("public"."delivery"."clicks") AS "sum" FROM "public"."delivery"
     WHERE "public"."delivery"."time" >= timestamp with time zone '${dayBefore(1)} 00:00:00.000Z' AND "public"."delivery"."time" < timestamp with time zone '${dayBefore(0)} 00:00:00.000Z'
     GROUP BY CAST(DATE_TRUNC('month', "public"."delivery"."time") AS date) ORDER BY CAST(DATE_TRUNC('month', "public"."delivery"."time") AS date) ASC LIMIT 1`,
    1,
  ],
];

/** The statements of the dashboard, with its macros as Grafana writes them. */
const PANELS = (
  JSON.parse(readFileSync(new URL('../../deploy/grafana/reports.json', import.meta.url), 'utf8')) as {
    readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly rawSql: string }[] }[];
  }
).panels.map(({ title, targets }): [string, string] => {
  const filter = `time BETWEEN '${dayBefore(3)}T00:00:00Z' AND '${dayBefore(0)}T00:00:00Z'`;
  return [title, (targets[0]?.rawSql ?? '').replace('$__timeFilter(time)', filter)];
});

describe.skipIf(!hasEndpoint)('statements of tools', () => {
  test.each(PANELS)('the panel "%s" of the dashboard gets rows with figures', async (_title, text) => {
    const rows = await ask(text);
    expect(rows.length).toBeGreaterThan(0);
    // An hour of the night may have no clicks, so one of the rows is enough.
    expect(rows.some((row) => Number(Object.values(row).at(-1)) > 0)).toBe(true);
  });

  test.each(TOOL_STATEMENTS)('%s gets its rows', async (_tool, text, rows) => {
    expect(await ask(text)).toHaveLength(rows);
  });
});

const JDBC = '/usr/share/java/postgresql.jar';
const hasJdbc = existsSync(JDBC) && spawnSync('java', ['-version']).status === 0;

describe.skipIf(!hasEndpoint || !hasJdbc)('the JDBC driver', () => {
  test('the JDBC driver lists tables and columns, and reads rows as text and as bytes', async () => {
    const program = fileURLToPath(new URL('support/SqlClient.java', import.meta.url));
    const address = `jdbc:postgresql://127.0.0.1:${server.sqlPort}/${server.demo.networkId}`;
    const { stdout } = await promisify(execFile)('java', ['-cp', JDBC, program, address], {
      env: { ...process.env, PGPASSWORD: server.demo.keys.reports },
      timeout: 110_000,
    });
    const lines = stdout.trim().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'table delivery',
        'column time timestamp',
        'column clicks numeric',
        'key false',
        'write 25006',
      ]),
    );
    const rows = lines.filter((line) => line.startsWith('rows '));
    // The driver asks for bytes from the fifth time on.
    expect(rows).toHaveLength(8);
    expect(new Set(rows).size).toBe(1);
    expect(rows[0]).toMatch(/^rows 5 \S.* \d{4}-\d\d-\d\d 00:00:00\.0 \d+ [\d.]+ (?:true|false)$/);
  });
});

const hasPsql = spawnSync('psql', ['--version']).status === 0;

function psql(...commands: readonly string[]): Promise<string> {
  const address = `host=127.0.0.1 port=${server.sqlPort} dbname=${server.demo.networkId} user=analyst sslmode=require`;
  const args = [address, '--no-psqlrc', '--no-align', '--tuples-only', ...commands.flatMap((one) => ['-c', one])];
  return new Promise((resolve, reject) => {
    execFile(
      'psql',
      args,
      { env: { ...process.env, PGPASSWORD: server.demo.keys.reports }, timeout: 60_000 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(stderr, { cause: error }));
      },
    );
  });
}

describe.skipIf(!hasEndpoint || !hasPsql)('psql', () => {
  test('psql shows the rows of a query', async () => {
    const lines = (await psql(TOP)).trim().split('\n');
    expect(lines).toEqual((await ask(TOP)).map((row) => `${row['line_item_name']}|${row['shown']}`));
  });

  test('psql lists tables, and the columns of one', async () => {
    expect(await psql('\\d')).toContain('public|delivery|table|');
    const columns = await psql('\\d delivery');
    expect(columns).toContain('line_item_name|text|');
    expect(columns).toContain('time|timestamp without time zone|');
    expect(await psql('\\d+ delivery', '\\dt+', '\\l', '\\dn', '\\du', '\\df', '\\di')).toContain(
      'Billable impressions',
    );
  });
});
