import { setTimeout as sleep } from 'node:timers/promises';
import { tableFromIPC } from 'apache-arrow';
import { readXlsx } from 'hucre/xlsx';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReportsServer, type ReportsServer } from './fixtures/reports-server.ts';

const DAY = '2026-01-10';
const MANY_DAY = '2026-02-10';
/** `REPORT_ROWS=1000000` for a million, as CI does. */
const MANY_ROWS = Number(process.env['REPORT_ROWS'] ?? 300_000);
const member = (name: string): string => `campaign_overview.${name}`;
const csv = { accept: 'text/csv' };
const ndjson = { accept: 'application/x-ndjson' };

let server: ReportsServer;

beforeAll(async () => {
  server = await openReportsServer();
  await server.insert([
    { time: `${DAY} 10:00:00.000`, country: 'PL', revenue_nanos: '1500000', region: '=1+2' },
    { time: `${DAY} 10:00:00.000`, country: 'DE', revenue_nanos: '2500000', region: 'a "b", c' },
    { time: `${DAY} 10:00:00.000`, country: '', revenue_nanos: '-5000000000', region: '@x' },
  ]);
});
afterAll(() => server.close());

function query(more: object = {}, day: string = DAY): object {
  return { timeDimensions: [{ dimension: member('time'), dateRange: [day, day] }], ...more };
}

/** So many creatives, each with one impression of that day. */
async function insertMany(): Promise<void> {
  const { olap } = server.analytics;
  await olap.command(
    `INSERT INTO delivery_quarter_hourly (workspace_id, time, line_item_id, creative_id, country, impressions)
     SELECT 9, toDateTime('${MANY_DAY} 00:00:00', 'UTC'), number % 100, number + 1, 'PL', 1 FROM numbers(${MANY_ROWS})`,
  );
}

describe('a whole result', () => {
  test('a result as CSV has a header, quoted cells, empty nulls, times, and texts that no spreadsheet runs as formulas', async () => {
    const response = await server.load(
      query({
        measures: [member('impressions'), member('revenue')],
        dimensions: [member('country'), member('region')],
        timeDimensions: [{ dimension: member('time'), granularity: 'day', dateRange: [DAY, DAY] }],
        order: { [member('revenue')]: 'asc' },
      }),
      { headers: csv },
    );
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="report.csv"');
    expect((await response.text()).split('\r\n')).toEqual([
      ['country', 'region', 'time.day', 'impressions', 'revenue'].map(member).join(','),
      `,'@x,${DAY}T00:00:00.000,1,-5`,
      `PL,'=1+2,${DAY}T00:00:00.000,1,0.0015`,
      `DE,"a ""b"", c",${DAY}T00:00:00.000,1,0.0025`,
      '',
    ]);
  });

  test('a result as NDJSON has the rows of the JSON response, one per line', async () => {
    const asked = query({
      measures: [member('impressions')],
      dimensions: [member('country'), member('npa')],
      timeDimensions: [{ dimension: member('time'), granularity: 'hour', dateRange: [DAY, DAY] }],
    });
    const lines = (await (await server.load(asked, { headers: ndjson })).text()).split('\n');
    const { data } = (await (await server.load(asked)).json()) as { data: unknown[] };
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(data);
  });

  test('an export works by GET, obeys a given limit, and has a header row even without rows', async () => {
    const asked = { measures: [member('impressions')], dimensions: [member('country')] };
    const url = (more: object, day?: string): string =>
      `${server.origin}/reports/1/v1/load?query=${encodeURIComponent(JSON.stringify(query({ ...asked, ...more }, day)))}`;
    const limited = await (await fetch(url({ limit: 1 }), { headers: csv })).text();
    expect(limited.split('\r\n')).toHaveLength(3);
    const empty = await fetch(url({}, '2026-03-01'), { headers: csv });
    expect([empty.status, await empty.text()]).toEqual([200, `${member('country')},${member('impressions')}\r\n`]);
  });

  test.each([
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['*/*', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['application/vnd.apache.arrow.stream', 'application/vnd.apache.arrow.stream'],
    ['application/x-parquet, application/json;q=0.1', 'application/vnd.apache.parquet'],
    ['application/ndjson', 'application/x-ndjson'],
    ['text/csv;q=0, */*', 'application/json'],
  ])('a request with Accept %s gets a response as %s', async (accept, type) => {
    const response = await server.load(query({ measures: [member('impressions')] }), { headers: { accept } });
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    expect(response.headers.get('vary')).toMatch(/\bAccept\b/);
    await response.arrayBuffer();
  });

  test.each(['text/html', 'image/*', 'text/csv;q=0', 'application/xml, text/plain;q=0.5'])(
    'a request that accepts only %s is refused with the forms that there are',
    async (accept) => {
      const response = await server.load(query({ measures: [member('impressions')] }), { headers: { accept } });
      expect(response.status).toBe(406);
      expect(response.headers.get('vary')).toMatch(/\bAccept\b/);
      const { code, error } = (await response.json()) as { code: string; error: string };
      expect(code).toBe('not_acceptable');
      expect(error).toContain('application/vnd.apache.parquet');
    },
  );

  test('a wrong query is refused as JSON, before anything is sent', async () => {
    const response = await server.load({ measures: [member('impressions')] }, { headers: csv });
    expect([response.status, await response.json()]).toMatchObject([400, { reason: 'date_range_required' }]);
  });

  test('several queries have no form but JSON', async () => {
    const asked = query({ measures: [member('impressions')] });
    const both = { accept: 'text/csv, application/json;q=0.5' };
    expect(await (await server.load(asked, { headers: both, multi: true })).json()).toHaveProperty('results');
    const refused = await server.load(asked, { headers: csv, multi: true });
    expect([refused.status, await refused.json()]).toMatchObject([406, { code: 'not_acceptable' }]);
  });

  test('Arrow, Parquet and XLSX have the rows of the CSV, with types', async () => {
    const asked = query({
      measures: [member('impressions'), member('revenue'), member('ctr')],
      dimensions: [member('country'), member('region')],
      timeDimensions: [{ dimension: member('time'), granularity: 'hour', dateRange: [DAY, DAY] }],
      order: { [member('revenue')]: 'asc' },
    });
    const bytesOf = async (accept: string) =>
      new Uint8Array(await (await server.load(asked, { headers: { accept } })).arrayBuffer());
    const arrow = tableFromIPC(await bytesOf('application/vnd.apache.arrow.stream'));
    expect(arrow.schema.fields.map((field) => `${field.name} ${String(field.type)}`)).toEqual([
      `${member('country')} Utf8`,
      `${member('region')} Utf8`,
      `${member('time.hour')} Timestamp<MILLISECOND>`,
      `${member('impressions')} Int64`,
      `${member('revenue')} Decimal[38e+9]`,
      `${member('ctr')} Decimal[38e+6]`,
    ]);
    const hour = Date.parse(`${DAY}T10:00:00Z`);
    const parquet = await bytesOf('application/vnd.apache.parquet');
    const read = await parquetReadObjects({ file: parquet.buffer });
    expect(read.map((row) => row[member('region')])).toEqual(['@x', '=1+2', 'a "b", c']);
    expect(read.map((row) => row[member('country')])).toEqual([null, 'PL', 'DE']);
    expect(read.map((row) => row[member('revenue')])).toEqual([-5, 0.0015, 0.0025]);
    expect(read.map((row) => row[member('impressions')])).toEqual([1n, 1n, 1n]);
    expect(read.map((row) => Number(row[member('time.hour')]))).toEqual([hour, hour, hour]);
    expect(arrow.toArray().map((row: Record<string, unknown>) => row[member('region')])).toEqual([
      '@x',
      '=1+2',
      'a "b", c',
    ]);
    const { sheets } = await readXlsx(
      await bytesOf('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
    );
    expect(sheets[0]?.rows).toEqual([
      ['country', 'region', 'time.hour', 'impressions', 'revenue', 'ctr'].map(member),
      [null, '@x', new Date(hour), 1, -5, 0],
      ['PL', '=1+2', new Date(hour), 1, 0.0015, 0],
      ['DE', 'a "b", c', new Date(hour), 1, 0.0025, 0],
    ]);
  });

  test('the analytics store itself reads the Arrow and the Parquet form', async () => {
    const asked = query({
      measures: [member('revenue')],
      dimensions: [member('region')],
      order: { [member('revenue')]: 'asc' },
    });
    for (const [format, accept] of [
      ['ArrowStream', 'application/vnd.apache.arrow.stream'],
      ['Parquet', 'application/vnd.apache.parquet'],
    ] as const) {
      const bytes = await (await server.load(asked, { headers: { accept } })).arrayBuffer();
      const rows = await server.analytics.olap.query({
        sql: `SELECT * FROM format(${format}, base64Decode('${Buffer.from(bytes).toString('base64')}'))`,
        params: {},
      });
      expect(
        rows.map((row) => Object.values(row as object).map(String)),
        format,
      ).toEqual([
        ['@x', '-5'],
        ['=1+2', '0.0015'],
        ['a "b", c', '0.0025'],
      ]);
    }
  });

  test('a result without rows has its columns in each form', async () => {
    const asked = query({ measures: [member('revenue')], dimensions: [member('country')] }, '2026-03-01');
    const bytesOf = async (accept: string) =>
      new Uint8Array(await (await server.load(asked, { headers: { accept } })).arrayBuffer());
    const arrow = tableFromIPC(await bytesOf('application/vnd.apache.arrow.stream'));
    expect([arrow.numRows, arrow.schema.fields.length]).toEqual([0, 2]);
    const { buffer } = await bytesOf('application/vnd.apache.parquet');
    const { num_rows: rows, schema } = parquetMetadata(buffer);
    expect([Number(rows), schema.length]).toEqual([0, 3]);
    const { sheets } = await readXlsx(
      await bytesOf('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
    );
    expect(sheets[0]?.rows).toEqual([[member('country'), member('revenue')]]);
  });
});

describe('many rows', () => {
  const asked = query({ measures: [member('impressions')], dimensions: [member('creative_id')] }, MANY_DAY);

  beforeAll(insertMany);

  test('many rows stream in memory that does not grow with them', async () => {
    const response = await server.load(asked, { network: 9, headers: csv });
    let rows = -1;
    let early = 0;
    let most = 0;
    for await (const chunk of response.body ?? []) {
      for (const byte of chunk as Uint8Array) if (byte === 10) rows += 1;
      if (rows < 100_000) early = Math.max(early, process.memoryUsage().rss);
      else most = Math.max(most, process.memoryUsage().rss);
    }
    expect(rows).toBe(MANY_ROWS);
    expect((most - early) / 1_048_576).toBeLessThan(100);
  });

  test.each([
    ['application/vnd.apache.arrow.stream', (bytes: Uint8Array) => tableFromIPC(bytes).numRows],
    ['application/vnd.apache.parquet', (bytes: Uint8Array) => Number(parquetMetadata(bytes.slice().buffer).num_rows)],
  ])('many rows come whole as %s, in memory that does not grow with them', async (accept, countRows) => {
    const response = await server.load(asked, { network: 9, headers: { accept } });
    const pieces: Uint8Array[] = [];
    const heap: number[] = [];
    for await (const chunk of response.body ?? []) {
      pieces.push(chunk as Uint8Array);
      heap.push(process.memoryUsage().heapUsed);
    }
    expect(countRows(Buffer.concat(pieces))).toBe(MANY_ROWS);
    const half = Math.floor(heap.length / 2);
    expect((Math.max(...heap.slice(half)) - Math.max(...heap.slice(0, half))) / 1_048_576).toBeLessThan(100);
  });

  test('the stream stops when the client hangs up, which frees its statement and its turn in the queue', async () => {
    const hangUp = new AbortController();
    const response = await server.load(asked, { network: 9, headers: ndjson, signal: hangUp.signal });
    const body = response.body?.getReader();
    await body?.read();
    expect(server.exportSlots.stats().running).toBe(1);
    hangUp.abort();
    await body?.read().catch(() => undefined);
    await expect.poll(() => server.exportSlots.stats().running).toBe(0);
    await expect.poll(() => runningStatements('creative_id')).toBe(0);
  });

  test('an export to a slow client delays neither its queries nor the exports of others', async () => {
    const hangUp = new AbortController();
    const slow = await server.load(asked, { network: 9, headers: csv, signal: hangUp.signal });
    await sleep(200);
    const other = await server.load(query({ dimensions: [member('country')] }), { headers: csv });
    expect((await other.text()).split('\r\n')).toHaveLength(5);
    const own = await server.load({ ...asked, limit: 1 }, { network: 9 });
    expect(own.status).toBe(200);
    hangUp.abort();
    await slow.text().catch(() => undefined);
  });

  test('a JSON response cannot hold many rows, and its limit says so', async () => {
    const { data } = (await (await server.load({ ...asked, limit: 50_000 }, { network: 9 })).json()) as {
      data: unknown[];
    };
    expect(data).toHaveLength(50_000);
    expect((await server.load({ ...asked, limit: 50_001 }, { network: 9 })).status).toBe(400);
  });
});

async function runningStatements(containing: string): Promise<number> {
  const [row] = await server.analytics.olap.query<{ n: string }>({
    sql: `SELECT count() AS n FROM system.processes WHERE query LIKE {pattern:String} AND query NOT LIKE '%system.processes%'`,
    params: { pattern: `%${containing}%` },
  });
  return Number(row?.n);
}
