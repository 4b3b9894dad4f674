import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { openOlap } from './clickhouse.ts';
import { migrateOlap, type OlapMigration } from './migrate-olap.ts';
import { olapDialect } from './olap-dialect.ts';
import { INSERT_BYTES_MAX, type Olap, OlapError } from './olap.ts';

let database: TestOlapDatabase;
let olap: Olap;

beforeAll(async () => {
  database = await createTestOlapDatabase();
  olap = database.olap;
});
afterAll(() => database.close());

const endless = 'SELECT count() AS n FROM numbers(100000000000) WHERE number % 7 = 3';

function ndjson(rows: readonly object[]): Buffer {
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

async function countRows(table: string): Promise<string | undefined> {
  return (await olap.query<{ n: string }>({ sql: `SELECT count() AS n FROM ${table}` }))[0]?.n;
}

async function failureOf(work: Promise<unknown>): Promise<OlapError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OlapError);
  return error as OlapError;
}

describe('query', () => {
  test('query binds values by type, and returns 64-bit integers and decimals as text', async () => {
    const rows = await olap.query({
      sql: `SELECT {text:String} AS text, {big:UInt64} AS big, {list:Array(String)} AS list, {ids:Array(UInt64)} AS ids,
              {flag:Bool} AS flag, {nothing:Nullable(String)} AS nothing, {at:DateTime64(3, 'UTC')} AS at,
              toDecimal64('1.50', 2) AS amount`,
      params: {
        text: "it's \\ a\ttab\nand {x:String} — ąę",
        big: 18_446_744_073_709_551_615n,
        list: ["a'b", 'c\\d', 'e\nf'],
        ids: [1n, 2n],
        flag: true,
        nothing: null,
        at: new Date(1_700_000_000_123),
      },
    });
    expect(rows).toEqual([
      {
        text: "it's \\ a\ttab\nand {x:String} — ąę",
        big: '18446744073709551615',
        list: ["a'b", 'c\\d', 'e\nf'],
        ids: ['1', '2'],
        flag: true,
        nothing: null,
        at: '2023-11-14 22:13:20.123',
        amount: '1.5',
      },
    ]);
  });

  test('query accepts a bound number in LIMIT', async () => {
    const rows = await olap.query({ sql: 'SELECT number FROM numbers(10) LIMIT {n:UInt32}', params: { n: 3 } });
    expect(rows).toHaveLength(3);
  });

  test('query returns the columns of an empty result', async () => {
    const result = await olap.queryWithMeta({ sql: 'SELECT number AS id FROM numbers(0)' });
    expect(result).toEqual({ columns: [{ name: 'id', type: 'UInt64' }], rows: [] });
  });

  test('query accepts parameters of 200,000 bytes', async () => {
    const ids = Array.from({ length: 20_000 }, (_one, at) => String(at + 100_000));
    const sql = 'SELECT length({ids:Array(String)}) AS n';
    expect(await olap.query({ sql, params: { ids } })).toEqual([{ n: '20000' }]);
  });

  test.each([
    ['a table that is not there', 'SELECT * FROM nowhere', 'unknown_table', 60],
    ['bad syntax', 'SELECT FROM WHERE', 'invalid_query', 62],
    ['an unknown column', 'SELECT nothing_such', 'invalid_query', 47],
  ])('query names the fault of a statement with %s', async (_name, sql, code, serverCode) => {
    expect(await failureOf(olap.query({ sql }))).toMatchObject({ code, serverCode, retryable: false });
  });

  test('ends a statement that outruns its time', async () => {
    expect(await failureOf(olap.query({ sql: endless, timeoutMs: 300 }))).toMatchObject({ code: 'timeout' });
  });

  test('query rejects at once when aborted, and the server ends the statement', async () => {
    const abort = new AbortController();
    const failure = failureOf(olap.query({ sql: endless, signal: abort.signal, timeoutMs: 20_000 }));
    await waitForRunning(1);
    abort.abort();
    expect(await failure).toMatchObject({ code: 'aborted' });
    await waitForRunning(0);
  });

  test('kill ends a statement by its id', async () => {
    const failure = failureOf(olap.query({ sql: endless, queryId: 'report-7', timeoutMs: 20_000 }));
    await waitForRunning(1);
    await olap.kill('report-70');
    await waitForRunning(1);
    await olap.kill('report-7');
    expect(await failure).toMatchObject({ code: 'aborted' });
  });

  test('query limits a setting to its own statement', async () => {
    const sql = "SELECT getSetting('max_block_size') AS size";
    const [changed] = await olap.query<{ size: string }>({ sql, settings: { max_block_size: 77 } });
    const [after] = await olap.query<{ size: string }>({ sql });
    expect(Number(changed?.size)).toBe(77);
    expect(Number(after?.size)).not.toBe(77);
  });
});

async function waitForRunning(count: number): Promise<void> {
  const sql =
    "SELECT count() AS n FROM system.processes WHERE query LIKE '%numbers(100000000000)%' AND query NOT LIKE '%system.processes%'";
  await expect.poll(async () => (await olap.query<{ n: string }>({ sql }))[0]?.n).toBe(String(count));
}

describe('inserts', () => {
  test('the largest insert is stored, and a larger one is refused before it is sent', async () => {
    await olap.command('CREATE TABLE largest (a String) ENGINE = MergeTree ORDER BY tuple()');
    const row = Buffer.from(`{"a":"${'x'.repeat(1_048_576 - 9)}"}\n`);
    const body = Buffer.concat(Array.from({ length: INSERT_BYTES_MAX / row.length }, () => row));
    expect(body.length).toBe(INSERT_BYTES_MAX);
    await olap.insertRaw({ table: 'largest', body, token: 'largest' });
    expect(await countRows('largest')).toBe('128');
    const larger = Buffer.concat([body, row]);
    const refused = await failureOf(olap.insertRaw({ table: 'largest', body: larger, token: 'larger' }));
    expect([refused.code, refused.retryable, refused.serverCode]).toEqual(['too_large', false, null]);
  });

  beforeAll(async () => {
    await olap.command(
      'CREATE TABLE seen (id UInt64, kind LowCardinality(String)) ENGINE = MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 1000',
    );
    await olap.command(
      'CREATE TABLE totals (kind LowCardinality(String), n UInt64) ENGINE = SummingMergeTree ORDER BY kind SETTINGS non_replicated_deduplication_window = 1000',
    );
    await olap.command(
      'CREATE MATERIALIZED VIEW totals_of_seen TO totals AS SELECT kind, count() AS n FROM seen GROUP BY kind',
    );
  });

  test('rows that are sent twice under one token count once, in the materialized view too', async () => {
    const body = ndjson([
      { id: 1, kind: 'a' },
      { id: 2, kind: 'a' },
    ]);
    for (let time = 0; time < 3; time += 1) await olap.insertRaw({ table: 'seen', body, token: 'batch-1' });
    expect(await countRows('seen')).toBe('2');
    expect(await olap.query({ sql: 'SELECT sum(n) AS n FROM totals' })).toEqual([{ n: '2' }]);
  });

  test('rows that are sent again under another token count again', async () => {
    await olap.insertRaw({ table: 'seen', body: ndjson([{ id: 1, kind: 'a' }]), token: "it's another" });
    expect(await countRows('seen')).toBe('3');
  });

  test('an insert of 200,000 rows at once is one block of its token', async () => {
    const body = ndjson(Array.from({ length: 200_000 }, (_one, id) => ({ id, kind: 'big' })));
    await olap.insertRaw({ table: 'seen', columns: ['id', 'kind'], body, token: 'big-1' });
    await olap.insertRaw({ table: 'seen', columns: ['id', 'kind'], body, token: 'big-1' });
    expect(await olap.query({ sql: "SELECT sum(n) AS n FROM totals WHERE kind = 'big'" })).toEqual([{ n: '200000' }]);
  });

  test('an insert of broken rows changes nothing and is not retryable', async () => {
    const before = await countRows('seen');
    const body = Buffer.from('{"id":7,"kind":"b"}\n{"id":"x"\n');
    const failure = await failureOf(olap.insertRaw({ table: 'seen', body, token: 'broken' }));
    expect(failure.retryable).toBe(false);
    expect(await countRows('seen')).toBe(before);
  });

  test('an insert of unknown columns is refused', async () => {
    const body = ndjson([{ id: 7, kind: 'b', extra: 1 }]);
    expect(await failureOf(olap.insertRaw({ table: 'seen', body, token: 'extra' }))).toMatchObject({
      code: 'invalid_query',
    });
  });

  test('run while reports take every reading connection', async () => {
    const hangUp = new AbortController();
    const reading = { sql: endless, timeoutMs: 100_000, signal: hangUp.signal };
    const reports = Array.from({ length: 6 }, () => failureOf(olap.query(reading)));
    await olap.insertRaw({ table: 'seen', body: ndjson([{ id: 9, kind: 'c' }]), token: 'beside' });
    hangUp.abort();
    await Promise.all(reports);
  });
});

describe('stream', () => {
  async function collect(pieces: AsyncIterable<Buffer>): Promise<string> {
    const all: Buffer[] = [];
    for await (const piece of pieces) all.push(piece);
    return Buffer.concat(all).toString('utf8');
  }

  test('stream returns every row, and the header line once', async () => {
    const sql = 'SELECT number AS id, toString(number) AS name FROM numbers(500000)';
    const lines = (await collect(olap.stream({ sql, format: 'CSVWithNames' }))).trimEnd().split('\n');
    expect(lines[0]).toBe('"id","name"');
    expect(lines).toHaveLength(500_001);
    expect(lines.filter((line) => line.includes('id'))).toHaveLength(1);
    expect(new Set(lines).size).toBe(500_001);
  });

  test('stream returns the header line of an empty result', async () => {
    expect(await collect(olap.stream({ sql: 'SELECT number AS id FROM numbers(0)', format: 'CSVWithNames' }))).toBe(
      '"id"\n',
    );
  });

  test('stream ends the statement when its consumer stops early', async () => {
    for await (const piece of olap.stream({ sql: 'SELECT number FROM numbers(100000000000)', format: 'JSONEachRow' })) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await waitForRunning(0);
  });

  test('stream fails when the statement fails half-way', async () => {
    const sql = "SELECT repeat('x', 1000), throwIf(number = 4000) FROM numbers(5000)";
    await failureOf(collect(olap.stream({ sql, format: 'CSV', settings: { max_block_size: 100 } })));
  });

  test('stream fails as a query does when the statement is wrong', async () => {
    expect(await failureOf(collect(olap.stream({ sql: 'SELECT * FROM nowhere', format: 'CSV' })))).toMatchObject({
      code: 'unknown_table',
    });
  });
});

test('a wrong password is refused, and named so', async () => {
  const other = openOlap({ url: database.url.replace(/:[^:@]*@/, ':wrong@'), log: silentLog });
  expect(await failureOf(other.query({ sql: 'SELECT 1' }))).toMatchObject({ code: 'unauthorized' });
  await expect(other.ping()).rejects.toMatchObject({ code: 'unauthorized' });
  await other.close();
});

test('a server that is not there is unreachable, which is worth another try', async () => {
  const other = openOlap({ url: 'http://placard:x@127.0.0.1:9/none', log: silentLog });
  expect(await failureOf(other.query({ sql: 'SELECT 1' }))).toMatchObject({ code: 'unreachable', retryable: true });
  await other.close();
});

test('responses are compressed when the client accepts it', async () => {
  const url = new URL(database.url);
  const result = await new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
    const call = request(
      {
        host: url.hostname,
        port: url.port,
        path: '/?enable_http_compression=1&default_format=JSONEachRow',
        method: 'POST',
        auth: `placard:${url.password}`,
        headers: { 'Accept-Encoding': 'gzip' },
      },
      (response) => {
        const encoding = response.headers['content-encoding'];
        response.toArray().then((chunks: Buffer[]) => resolve({ encoding, body: Buffer.concat(chunks) }), reject);
      },
    );
    call.end('SELECT 1 AS one');
  });
  expect(result.encoding).toBe('gzip');
  expect(gunzipSync(result.body).toString()).toBe('{"one":1}\n');
});

describe('migrateOlap', () => {
  const first: OlapMigration = {
    id: '0001-a',
    statements: ({ mergeTree, onCluster }) => [
      `CREATE TABLE a${onCluster} (id UInt64) ENGINE = ${mergeTree()} ORDER BY id`,
    ],
  };
  const second: OlapMigration = { id: '0002-b', statements: () => ['ALTER TABLE a ADD COLUMN IF NOT EXISTS b String'] };
  const bad: OlapMigration = { id: '0003-c', statements: () => ['ALTER TABLE nowhere ADD COLUMN c String'] };

  test('runs each once, in order, and goes on where it failed', async () => {
    const run = (migrations: readonly OlapMigration[]) => migrateOlap({ olap, migrations, log: silentLog });
    expect(await run([first])).toEqual(['0001-a']);
    await expect(run([bad, second, first])).rejects.toThrow('0003-c');
    expect(await run([first, second])).toEqual([]);
    expect(await run([first, second, { ...bad, statements: () => [] }])).toEqual(['0003-c']);
  });

  test('names replicated engines and the cluster, where there is one', () => {
    const { mergeTree, mergeTreeEverywhere, onCluster } = olapDialect({ name: 'main', database: 'ads' });
    expect(mergeTree('Replacing', 'version')).toBe(
      "ReplicatedReplacingMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}', version)",
    );
    expect(mergeTreeEverywhere()).toBe("ReplicatedMergeTree('/clickhouse/tables/{uuid}/all', '{shard}-{replica}')");
    expect(onCluster).toBe(" ON CLUSTER 'main'");
    expect(olapDialect().mergeTree('Replacing', 'version')).toBe('ReplacingMergeTree(version)');
  });
});
