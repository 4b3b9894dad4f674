import cube, { type CubeApi } from '@cubejs-client/core';
import type { FastifyInstance } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../test/support/stores.ts';
import { createTestServer } from '../../test/support/test-server.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import type { Olap, OlapQuery } from '../storage/olap/olap.ts';
import { EVENTS_TABLE, makeEvent } from './fixtures/events-table.ts';
import { DataVersions } from './cache/data-versions.olap.ts';
import { ResultCache } from './cache/result-cache.ts';
import { QuerySlots } from './load/query-slots.ts';
import { ReportLoads } from './load/report-loads.ts';
import { REPORTS_MODEL } from './model/campaign-overview.olap.ts';
import { MemberIndex } from './model/member-index.ts';
import { registerReportRoutes } from './reports.routes.ts';
import { REPORT_OLAP_MIGRATIONS } from './rollups/rollups.olap.ts';

const PRINCIPAL: Principal = {
  kind: 'headerCredential',
  actor: 'credential:1',
  id: '1',
  workspaceId: 1,
  networkId: '1000',
  environment: 'production',
  permission: 'read-only',
  modules: null,
  remoteAddress: '127.0.0.1',
};
const IMPRESSIONS = 'campaign_overview.impressions';
const TIME = 'campaign_overview.time';

let analytics: TestOlapDatabase;
let app: FastifyInstance;
let api: CubeApi;
let base = '';
/** Statements that were begun, and how long each is held back (a slow store, in milliseconds). */
let begun: OlapQuery[] = [];
let holdMs = 0;
const seen: { method: string; contentType: string | undefined }[] = [];

beforeAll(async () => {
  analytics = await createTestOlapDatabase();
  await analytics.olap.command(EVENTS_TABLE);
  await migrateOlap({ olap: analytics.olap, migrations: REPORT_OLAP_MIGRATIONS, log: silentLog });
  const events = [
    ...[1, 2, 3].map((minute) => ({ time: `2026-01-01 10:0${minute}:00.000`, line_item_id: '3' })),
    { time: '2026-01-03 10:00:00.000', line_item_id: '3' },
    { time: '2026-01-03 11:00:00.000', line_item_id: '30' },
    { time: '2026-01-08 11:00:00.000', line_item_id: '30' },
  ];
  const body = Buffer.from(events.map((event) => JSON.stringify(makeEvent(event))).join('\n'));
  await analytics.olap.insertRaw({ table: 'events', body, token: 'first' });
});
afterAll(() => analytics.close());

beforeEach(async () => {
  begun = [];
  holdMs = 0;
  // Far beyond what a query takes on a machine with other work.
  await listen({ plainTimeoutMs: 100_000 });
});
afterEach(() => app.close());

async function listen({ plainTimeoutMs }: { plainTimeoutMs: number }): Promise<void> {
  seen.length = 0;
  app = createTestServer();
  app.addHook('onRequest', (request, _reply, done) => {
    seen.push({ method: request.method, contentType: request.headers['content-type'] });
    done();
  });
  const slots = new QuerySlots();
  const olap = slowable(analytics.olap);
  registerReportRoutes(app, {
    authenticate: () => Promise.resolve(PRINCIPAL),
    networkOf: () => Promise.resolve({ timezone: 'UTC', currency: 'PLN' }),
    indexOf: () => Promise.resolve(new MemberIndex(REPORTS_MODEL)),
    loads: new ReportLoads({
      engine: { olap, slots },
      cache: new ResultCache(),
      versions: new DataVersions({ olap: analytics.olap, log: silentLog, nowMs: Date.now }),
      namesVersion: () => '',
      log: silentLog,
      nowMs: Date.now,
      timing: { continueWaitMs: 60, plainTimeoutMs },
    }),
    exports: { olap, slots },
    nowMs: () => Date.parse('2026-01-08T12:00:00Z'),
  });
  base = `${await app.listen({ host: '127.0.0.1', port: 0 })}/reports/1000/v1`;
  api = cube('token', { apiUrl: base, headers: { 'x-internal-auth-login': 'bi' } });
}

/** The same store behind a delay: what is asked, and how an response is waited for, stays real. */
function slowable(olap: Olap): Olap {
  const query = async <T>(asked: OlapQuery): Promise<T[]> => {
    begun.push(asked);
    if (holdMs > 0) await sleep(holdMs, undefined, asked.signal === undefined ? {} : { signal: asked.signal });
    return olap.query<T>(asked);
  };
  return Object.assign(Object.create(olap) as Olap, { query });
}

const daily = (dateRange: string | [string, string]) => ({
  measures: [IMPRESSIONS],
  timeDimensions: [{ dimension: TIME, granularity: 'day' as const, dateRange }],
});

describe('the unmodified Cube client', () => {
  test('the client loads rows and fills the days between them', async () => {
    const result = await api.load(daily(['2026-01-01', '2026-01-04']));
    expect(result.chartPivot().map((point) => [point.x, point[IMPRESSIONS]])).toEqual([
      ['2026-01-01T00:00:00.000', 3],
      ['2026-01-02T00:00:00.000', 0],
      ['2026-01-03T00:00:00.000', 2],
      ['2026-01-04T00:00:00.000', 0],
    ]);
    expect(result.seriesNames()).toEqual([
      { key: IMPRESSIONS, title: 'Campaign Overview Impressions', shortTitle: 'Impressions', yValues: [IMPRESSIONS] },
    ]);
    expect(result.tableColumns().map((column) => column.shortTitle)).toEqual(['Time', 'Impressions']);
  });

  test('the client describes a query without running it, and its statement gives the same rows', async () => {
    const query = { ...daily('last 7 days'), order: { [IMPRESSIONS]: 'desc' as const } };
    begun = [];
    const { queryType, normalizedQueries, queryOrder, pivotQuery } = await api.dryRun(query);
    expect([queryType, queryOrder]).toEqual(['regularQuery', [{ [IMPRESSIONS]: 'desc' }]]);
    const range = ['2026-01-01T00:00:00.000', '2026-01-07T23:59:59.999'];
    expect(normalizedQueries[0]?.timeDimensions?.[0]?.dateRange).toEqual(range);
    expect(pivotQuery).toMatchObject({ measures: [IMPRESSIONS], queryType: 'regularQuery' });
    const [sql, , params] = (await api.sql(query)).rawQuery().sql as [string, unknown[], OlapQuery['params']];
    expect(begun).toEqual([]);
    const rows = await analytics.olap.query<object>({ sql, ...(params === undefined ? {} : { params }) });
    const loaded = await api.load(query);
    expect(rows.map((row) => Object.values(row).map(String))).toEqual(
      loaded
        .rawData()
        .map((row) => [`${String(row[`${TIME}.day`]).slice(0, 19).replace('T', ' ')}`, String(row[IMPRESSIONS])]),
    );
    const both = await api.dryRun({
      ...query,
      timeDimensions: [{ dimension: TIME, compareDateRange: ['last 7 days', 'last 3 days'] }],
    });
    expect([both.queryType, both.normalizedQueries.length]).toEqual(['compareDateRangeQuery', 2]);
    await expect(api.dryRun({ measures: ['campaign_overview.none'] })).rejects.toThrow(/none/);
    await expect(api.sql({ measures: [IMPRESSIONS] })).rejects.toThrow(/dateRange/);
  });

  test('the client splits series by a dimension', async () => {
    const result = await api.load({ ...daily('last 7 days'), dimensions: ['campaign_overview.line_item_id'] });
    const series = result.series({ x: [`${TIME}.day`], y: ['campaign_overview.line_item_id', 'measures'] });
    expect(series.map((one) => [one.key, one.series.map((point) => point.value)])).toEqual([
      [`3,${IMPRESSIONS}`, [3, 0, 1, 0, 0, 0, 0]],
      [`30,${IMPRESSIONS}`, [0, 0, 1, 0, 0, 0, 0]],
    ]);
  });

  test('the client reads the model', async () => {
    const meta = await api.meta();
    expect(meta.resolveMember('campaign_overview.revenue', 'measures')).toMatchObject({
      type: 'number',
      format: 'currency',
      shortTitle: 'Revenue',
      currency: 'PLN',
    });
    expect(meta.defaultTimeDimensionNameFor('campaign_overview.clicks')).toBe(TIME);
    expect(meta.membersForQuery(daily('today'), 'dimensions').length).toBeGreaterThan(20);
  });

  test('the client drills down into a point', async () => {
    const result = await api.load(daily(['2026-01-01', '2026-01-04']));
    const query = result.drillDown({ xValues: ['2026-01-03T00:00:00.000'], yValues: [IMPRESSIONS] });
    const drilled = await api.load(query ?? {});
    expect(drilled.rawData().map((row) => row['campaign_overview.line_item_id'])).toEqual(['3', '30']);
  });

  test('the client compares ranges', async () => {
    const compareDateRange: [string, string][] = [
      ['2026-01-01', '2026-01-02'],
      ['2026-01-03', '2026-01-04'],
    ];
    const result = await api.load({
      measures: [IMPRESSIONS],
      timeDimensions: [{ dimension: TIME, granularity: 'day', compareDateRange }],
    });
    expect(result.series().map((one) => one.series.map((point) => point.value))).toEqual([
      [3, 0],
      [2, 0],
    ]);
    expect(result.decompose().length).toBe(2);
  });

  test('the client blends two queries on their time axis', async () => {
    const clicks = { ...daily(['2026-01-01', '2026-01-02']), measures: ['campaign_overview.clicks'] };
    const result = await api.load([daily(['2026-01-01', '2026-01-02']), clicks]);
    expect(result.chartPivot()).toMatchObject([
      { [IMPRESSIONS]: 3, 'campaign_overview.clicks': 0 },
      { [IMPRESSIONS]: 0 },
    ]);
  });

  test.each(['compact', 'columnar'] as const)('the client reads the %s form', async (format) => {
    const plain = await api.load(daily(['2026-01-01', '2026-01-04']));
    const other = await api.load({ ...daily(['2026-01-01', '2026-01-04']), responseFormat: format } as never);
    expect(other.rawData()).toEqual(plain.rawData());
  });

  test('the client sends the query of a response again', async () => {
    const result = await api.load({ ...daily(['2026-01-01', '2026-01-04']), order: { [IMPRESSIONS]: 'desc' } });
    const again = await api.load(result.query() as never);
    expect(again.rawData()).toEqual(result.rawData());
  });

  test('the client posts a long query, and sends GET requests after that with a content type and no body', async () => {
    const values = Array.from({ length: 400 }, (_item, number) => `value-${number}`);
    const filters = [{ member: 'campaign_overview.country', operator: 'notEquals' as const, values }];
    const posted = await api.load({ ...daily(['2026-01-01', '2026-01-04']), filters });
    const got = await api.load(daily(['2026-01-01', '2026-01-04']));
    expect([...new Set(seen.map((request) => request.method))]).toEqual(['POST', 'GET']);
    expect(posted.rawData()).toEqual(got.rawData());
  });

  test('the client shows the message of a refusal', async () => {
    await expect(api.load({ measures: [IMPRESSIONS] })).rejects.toThrow(/^A dateRange is required/);
  });

  test('the client has to wait while the store is slow, and the statement runs once', async () => {
    holdMs = 300;
    const result = await api.load(daily(['2026-01-01', '2026-01-04']));
    expect(result.rawData()).toHaveLength(2);
    expect(seen.length).toBeGreaterThan(2);
    expect(begun).toHaveLength(1);
  });
});

describe('other clients', () => {
  const body = JSON.stringify({ query: daily(['2026-01-01', '2026-01-04']) });
  const post = (init: RequestInit = {}): Promise<Response> =>
    fetch(`${base}/load`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, ...init });

  test('other clients get the plain response', async () => {
    const response = (await (await post()).json()) as Record<string, unknown>;
    expect(response['data']).toEqual([
      { [`${TIME}.day`]: '2026-01-01T00:00:00.000', [TIME]: '2026-01-01T00:00:00.000', [IMPRESSIONS]: '3' },
      { [`${TIME}.day`]: '2026-01-03T00:00:00.000', [TIME]: '2026-01-03T00:00:00.000', [IMPRESSIONS]: '2' },
    ]);
    expect(response).not.toHaveProperty('results');
  });

  test('other clients get 504 with Retry-After once the budget is spent, and the statement is ended', async () => {
    holdMs = 5_000;
    await app.close();
    await listen({ plainTimeoutMs: 150 });
    const response = await post();
    expect([response.status, response.headers.get('retry-after')]).toEqual([504, '5']);
    expect(await response.json()).toMatchObject({ code: 'query_timeout', error: expect.any(String) });
    expect(begun[0]?.signal?.aborted).toBe(true);
  });

  test('a client that hangs up ends its statement', async () => {
    holdMs = 100_000;
    const hangUp = new AbortController();
    const response = post({ signal: hangUp.signal }).catch(() => 'gone');
    await expect.poll(() => begun.length).toBe(1);
    hangUp.abort();
    expect(await response).toBe('gone');
    await vi.waitFor(() => expect(begun[0]?.signal?.aborted).toBe(true), { timeout: 60_000 });
  });

  test('other clients get a sentence for bad JSON, and the common error code for a body that is too large', async () => {
    const bad = await post({ body: '{"query": ' });
    expect([bad.status, await bad.json()]).toMatchObject([400, { code: 'invalid_request', type: 'UserError' }]);
    const huge = await post({ body: JSON.stringify({ query: 'x'.repeat(2_000_000) }) });
    expect([huge.status, await huge.json()]).toMatchObject([413, { error: 'payload_too_large' }]);
  });
});
