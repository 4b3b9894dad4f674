import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createTestDatabase,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../test/support/stores.ts';
import { createTestServer } from '../../test/support/test-server.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { toProblem } from '../http/shared/problem.ts';
import { PlacardError } from '../domain/errors.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import type { ChangeNotice } from '../storage/sql/change-feed.ts';
import { EVENTS_TABLE, makeEvent } from './fixtures/events-table.ts';
import { createReportsService, type ReportsService } from './reports-service.ts';

interface EventInput {
  readonly kind?: string;
  readonly time: string;
  readonly workspace_id?: number;
  readonly [column: string]: unknown;
}

const MEMBER = (name: string): string => `campaign_overview.${name}`;
const NOW = '2026-07-15T13:03:20.518Z';

let sql: TestDatabase;
let analytics: TestOlapDatabase;
let service: ReportsService;
let app: FastifyInstance;
let listener: { onChange(batch: readonly ChangeNotice[]): void; onReconnect(): void } | null = null;
let eventCount = 0;
let workspaces: { production: number; staging: number; other: number };

async function insert(events: readonly EventInput[]): Promise<void> {
  const rows = events.map((event) => {
    eventCount += 1;
    return JSON.stringify(makeEvent({ workspace_id: workspaces.production, ...event }));
  });
  await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(rows.join('\n')), token: `t${eventCount}` });
}

async function load(query: object, options: { network?: string; staging?: boolean; multi?: boolean } = {}) {
  const response = await app.inject({
    method: 'POST',
    url: `${options.staging === true ? '/staging' : ''}/reports/${options.network ?? '1000'}/v1/load`,
    payload: { query, ...(options.multi === true ? { queryType: 'multi' } : {}) },
  });
  return { status: response.statusCode, body: response.json() as Record<string, unknown> };
}

async function rowsOf(query: object, options = {}): Promise<Record<string, unknown>[]> {
  const { status, body } = await load(query, options);
  expect(body, JSON.stringify(body)).toHaveProperty('data');
  expect(status).toBe(200);
  return body['data'] as Record<string, unknown>[];
}

function during(from: string, to: string, granularity?: string): object[] {
  return [{ dimension: MEMBER('time'), dateRange: [from, to], ...(granularity === undefined ? {} : { granularity }) }];
}

beforeAll(async () => {
  [sql, analytics] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  await seedBooking();
  service = createReportsService({
    sql: sql.db,
    olap: analytics.olap,
    changes: { watch: (given) => ((listener = given), { close: () => Promise.resolve() }) },
    log: silentLog,
    nowMs: () => Date.parse(NOW),
  });
  await analytics.olap.command(EVENTS_TABLE);
  await migrateOlap({ olap: analytics.olap, migrations: service.migrations, log: silentLog });
  await service.start();
  await vi.waitFor(async () => expect((await service.readiness())[0]?.ok).toBe(true), { timeout: 60_000 });
  app = createTestServer();
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.id);
    return reply.code(problem.status).send(problem.body);
  });
  service.register(app, {
    authenticate: (_request, access) => Promise.resolve(principalOf(access.networkId, access.environment)),
  });
});

afterAll(async () => {
  // Each may be missing when the setup failed: what was made must still be taken away.
  const closings = [() => app?.close(), () => service?.stop(), () => sql?.close(), () => analytics?.close()];
  for (const close of closings) await close();
});

function principalOf(networkId: string, environment: 'production' | 'staging'): Principal {
  if (networkId === '666') throw new PlacardError('invalid_credentials');
  const workspaceId = networkId === '1000' ? workspaces[environment] : workspaces.other;
  return {
    kind: 'apiKey',
    actor: 'key:1',
    id: '1',
    workspaceId,
    networkId,
    environment,
    permission: 'read-only',
    modules: null,
    remoteAddress: '127.0.0.1',
  };
}

async function seedBooking(): Promise<void> {
  const { db } = sql;
  await db
    .insertInto('networks')
    .values([
      { id: 1000, name: 'Demo', timezone: 'Europe/Warsaw', currency: 'PLN' },
      { id: 2000, name: 'Other' },
    ])
    .execute();
  const made = await db
    .insertInto('workspaces')
    .values([
      { network_id: 1000, environment: 'production' },
      { network_id: 1000, environment: 'staging' },
      { network_id: 2000, environment: 'production' },
    ])
    .returning('id')
    .execute();
  workspaces = { production: made[0]?.id ?? 0, staging: made[1]?.id ?? 0, other: made[2]?.id ?? 0 };
  const own = { workspace_id: workspaces.production };
  await db
    .insertInto('advertisers')
    .values({ ...own, id: 1, name: 'Acme' })
    .execute();
  await db
    .insertInto('campaigns')
    .values({ ...own, id: 2, advertiser_id: 1, name: 'Summer' })
    .execute();
  await db
    .insertInto('line_items')
    .values({ ...own, id: 3, campaign_id: 2, name: 'Line 50%_off', type: 'STANDARD' })
    .execute();
  await db
    .insertInto('sites')
    .values({ ...own, id: 5, code: 'news', name: 'News', domain: 'news.example' })
    .execute();
  await db
    .insertInto('areas')
    .values({ ...own, id: 6, site_id: 5, code: 'sport', name: 'Sport' })
    .execute();
}

describe('measures', () => {
  beforeAll(async () => {
    await insert([
      { time: '2026-01-10 10:00:00.000', revenue_nanos: '12500000', user_hash: '11' },
      { time: '2026-01-10 10:01:00.000', revenue_nanos: '12500001', user_hash: '11' },
      { time: '2026-01-10 10:02:00.000', revenue_nanos: '12500000', user_hash: '12', npa: true },
      { time: '2026-01-10 10:03:00.000', invalid_reason: 'robot', user_hash: '13' },
      { time: '2026-01-10 10:04:00.000', kind: 'click' },
      { time: '2026-01-10 10:04:01.000', kind: 'click', invalid_reason: 'robot' },
      { time: '2026-01-10 10:04:02.000', kind: 'measurable' },
      { time: '2026-01-10 10:04:02.000', kind: 'measurable' },
      { time: '2026-01-10 10:04:03.000', kind: 'viewable' },
      { time: '2026-01-10 10:05:00.000', kind: 'video_start' },
      {
        time: '2026-01-10 10:06:00.000',
        kind: 'activity',
        activity_id: '9',
        attribution: 'click',
        value_micros: '19990000',
      },
      { time: '2026-01-10 10:07:00.000', kind: 'activity', activity_id: '9', attribution: '', value_micros: '10000' },
      {
        time: '2026-01-10 10:08:00.000',
        kind: 'request',
        quantity: 40,
        line_item_id: '',
        line_item_type: '',
        campaign_id: '',
        advertiser_id: '',
        creative_id: '',
      },
    ]);
  });

  test('every measure of the day is exact, and ratios are computed from sums', async () => {
    const names = [
      'impressions',
      'gross_impressions',
      'invalid_impressions',
      'requests',
      'clicks',
      'gross_clicks',
      'ctr',
      'revenue',
      'ecpm',
      'viewable_impressions',
      'measurable_impressions',
      'viewability',
      'activities',
      'post_click_activities',
      'post_view_activities',
      'activity_value',
      'unique_users',
      'video_starts',
      'video_completes',
      'video_completion_rate',
    ];
    const [row] = await rowsOf({ measures: names.map(MEMBER), timeDimensions: during('2026-01-10', '2026-01-10') });
    expect(row).toEqual(
      Object.fromEntries(
        Object.entries({
          impressions: '3',
          gross_impressions: '4',
          invalid_impressions: '1',
          requests: '40',
          clicks: '1',
          gross_clicks: '2',
          ctr: '33.333333',
          revenue: '0.037500001',
          ecpm: '12.5',
          viewable_impressions: '1',
          measurable_impressions: '2',
          viewability: '50',
          activities: '2',
          post_click_activities: '1',
          post_view_activities: '0',
          activity_value: '20',
          unique_users: '1',
          video_starts: '1',
          video_completes: '0',
          video_completion_rate: '0',
        }).map(([name, value]) => [MEMBER(name), value]),
      ),
    );
  });

  test('single events and both roll-ups return the same measures', async () => {
    const measures = ['impressions', 'revenue', 'unique_users', 'ctr', 'activity_value'].map(MEMBER);
    const ask = (range: [string, string], dimensions: string[]) =>
      rowsOf({
        measures,
        dimensions,
        timeDimensions: during(...range),
        filters: [{ member: MEMBER('line_item_id'), operator: 'equals', values: ['3'] }],
      });
    const [hourly] = await ask(['2026-01-10', '2026-01-10'], []);
    const [quarterHourly] = await ask(['2026-01-10', '2026-01-10'], [MEMBER('country')]);
    const [events] = await ask(['2026-01-10T09:00:01.000', '2026-01-10T22:00:00.000'], []);
    expect(quarterHourly).toEqual({ ...hourly, [MEMBER('country')]: 'PL' });
    expect(events).toEqual(hourly);
  });

  test('a query over no rows returns sums of 0, and no row when grouped', async () => {
    const timeDimensions = during('2026-02-10', '2026-02-10');
    const measures = ['impressions', 'ctr', 'revenue', 'unique_users'].map(MEMBER);
    expect(await rowsOf({ measures, timeDimensions })).toEqual([
      {
        [MEMBER('impressions')]: '0',
        [MEMBER('ctr')]: null,
        [MEMBER('revenue')]: '0',
        [MEMBER('unique_users')]: '0',
      },
    ]);
    expect(await rowsOf({ measures, dimensions: [MEMBER('campaign_id')], timeDimensions })).toEqual([]);
  });
});

describe('names and dimensions', () => {
  test('a result has the present names, and rows without one are null and come last', async () => {
    const query = {
      measures: [MEMBER('requests')],
      dimensions: ['network_id', 'line_item_id', 'line_item_name', 'site_domain', 'area', 'deal_id', 'npa'].map(MEMBER),
      timeDimensions: during('2026-01-10', '2026-01-10'),
      filters: [{ member: MEMBER('npa'), operator: 'equals', values: ['false'] }],
      order: { [MEMBER('line_item_name')]: 'asc' },
    };
    const rows = await rowsOf(query);
    expect(rows.map((row) => row[MEMBER('line_item_name')])).toEqual(['Line 50%_off', null]);
    expect(rows[1]).toEqual({
      [MEMBER('network_id')]: '1000',
      [MEMBER('line_item_id')]: null,
      [MEMBER('line_item_name')]: null,
      [MEMBER('site_domain')]: 'news.example',
      [MEMBER('area')]: 'sport',
      [MEMBER('deal_id')]: null,
      [MEMBER('npa')]: false,
      [MEMBER('requests')]: '40',
    });
  });

  test('a renamed line item has its new name in its past as well', async () => {
    await sql.db
      .updateTable('line_items')
      .set({ name: 'Renamed' })
      .where('workspace_id', '=', workspaces.production)
      .where('id', '=', 3n)
      .execute();
    listener?.onChange([{ workspaceId: workspaces.production, kind: 'lineItem', id: '3' }]);
    const query = {
      dimensions: [MEMBER('line_item_name')],
      timeDimensions: during('2026-01-10', '2026-01-10'),
      filters: [{ member: MEMBER('line_item_id'), operator: 'set' }],
    };
    await expect.poll(() => rowsOf(query)).toEqual([{ [MEMBER('line_item_name')]: 'Renamed' }]);
  });
});

describe('time zones', () => {
  beforeAll(async () => {
    // Warsaw: 29 March 2026 has 23 hours, 25 October 2026 has 25.
    await insert(
      ['2026-03-28 22:59:59.999', '2026-03-28 23:00:00.000', '2026-03-29 21:59:59.999', '2026-03-29 22:00:00.000'].map(
        (time) => ({ time }),
      ),
    );
    await insert(
      ['2026-10-25 00:30:00.000', '2026-10-25 01:30:00.000', '2026-10-25 22:59:00.000'].map((time) => ({ time })),
    );
    await insert(['2026-05-01 18:29:00.000', '2026-05-01 18:30:00.000'].map((time) => ({ time })));
  });

  test.each([
    [
      'a 23-hour day, in the zone of the network',
      undefined,
      '2026-03-28',
      '2026-03-30',
      'day',
      { '2026-03-28': '1', '2026-03-29': '2', '2026-03-30': '1' },
    ],
    ['a 25-hour day', 'Europe/Warsaw', '2026-10-25', '2026-10-25', 'day', { '2026-10-25': '3' }],
    [
      'a zone half an hour off',
      'Asia/Kolkata',
      '2026-05-01',
      '2026-05-02',
      'day',
      { '2026-05-01': '1', '2026-05-02': '1' },
    ],
    ['UTC, any case', 'utc', '2026-05-01', '2026-05-02', 'day', { '2026-05-01': '2' }],
  ])('%s', async (_name, timezone, from, to, granularity, expected) => {
    const rows = await rowsOf({
      measures: [MEMBER('impressions')],
      timeDimensions: during(from, to, granularity),
      ...(timezone === undefined ? {} : { timezone }),
    });
    expect(
      Object.fromEntries(rows.map((row) => [String(row[MEMBER('time.day')]).slice(0, 10), row[MEMBER('impressions')]])),
    ).toEqual(expected);
    expect(rows[0]?.[MEMBER('time.day')]).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000$/);
  });

  test('the repeated hour of a clock change is one row', async () => {
    const rows = await rowsOf({
      measures: [MEMBER('impressions')],
      timeDimensions: during('2026-10-25', '2026-10-25', 'hour'),
    });
    expect(rows.map((row) => [row[MEMBER('time.hour')], row[MEMBER('impressions')]])).toEqual([
      ['2026-10-25T02:00:00.000', '2'],
      ['2026-10-25T23:00:00.000', '1'],
    ]);
  });
});

describe('rules', () => {
  test.each([
    ['a query without a dateRange', { measures: [MEMBER('clicks')] }, 'date_range_required', /dateRange is required/],
    [
      '91 days',
      { measures: [MEMBER('clicks')], timeDimensions: during('2026-01-01', '2026-04-01') },
      'date_range_too_long',
      /91 days.*at most 90/,
    ],
    [
      'an unknown member',
      { measures: [MEMBER('x')], timeDimensions: during('2026-01-01', '2026-01-02') },
      'unknown_member',
      /^'x' not found for path 'campaign_overview.x'$/,
    ],
    [
      'an unknown granularity',
      { measures: [MEMBER('clicks')], timeDimensions: during('2026-01-01', '2026-01-02', 'fortnight') },
      'unknown_member',
      /"fortnight"/,
    ],
    [
      'a date that is none',
      { measures: [MEMBER('clicks')], timeDimensions: during('2026-02-30', '2026-03-02') },
      'invalid_date',
      /2026-02-30/,
    ],
  ])('%s gets a 400 that names it', async (_name, query, reason, sentence) => {
    const { status, body } = await load(query);
    expect({ status, type: body['type'], code: body['code'], reason: body['reason'] }).toEqual({
      status: 400,
      type: 'UserError',
      code: 'invalid_request',
      reason,
    });
    expect(body['error']).toMatch(sentence);
  });

  test('90 a range of 90 days is allowed', async () => {
    expect(
      (await load({ measures: [MEMBER('clicks')], timeDimensions: during('2026-01-01', '2026-03-31') })).status,
    ).toBe(200);
  });

  test('a query never returns rows of another network or environment', async () => {
    await insert([{ time: '2026-06-01 10:00:00.000', workspace_id: workspaces.staging }]);
    const query = { measures: [MEMBER('impressions')], timeDimensions: during('2026-06-01', '2026-06-01') };
    expect(await rowsOf(query)).toEqual([{ [MEMBER('impressions')]: '0' }]);
    expect(await rowsOf(query, { network: '2000' })).toEqual([{ [MEMBER('impressions')]: '0' }]);
    expect(await rowsOf(query, { staging: true })).toEqual([{ [MEMBER('impressions')]: '1' }]);
  });

  test('values of a query never become SQL', async () => {
    const values = ["') OR 1=1 --", '{workspaceId:UInt32}', "\\'; DROP TABLE events", '%', '\u0000'];
    const operators = ['equals', 'notEquals', 'contains', 'startsWith', 'endsWith', 'gt'];
    for (const operator of operators) {
      const filters = [{ member: MEMBER('country'), operator, values }];
      const { status } = await load({
        dimensions: [MEMBER('country')],
        timeDimensions: during('2026-01-10', '2026-01-10'),
        filters,
      });
      expect(status, operator).toBe(200);
    }
    expect(
      (await rowsOf({ measures: [MEMBER('impressions')], timeDimensions: during('2026-01-10', '2026-01-10') }))[0],
    ).toEqual({ [MEMBER('impressions')]: '3' });
  });

  test('an authentication failure keeps the shape of the other APIs', async () => {
    const { status, body } = await load({}, { network: '666' });
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: 'invalid_credentials', message: expect.any(String) });
  });
});

test('/meta has every measure and dimension with title and description, and the lists that clients need', async () => {
  const response = await app.inject({ method: 'GET', url: '/reports/1000/v1/meta' });
  const [cube = {}] = (response.json() as { cubes: Record<string, unknown>[] }).cubes;
  expect(cube).toMatchObject({
    name: 'campaign_overview',
    segments: [],
    hierarchies: [],
    folders: [],
    nestedFolders: [],
  });
  for (const member of [
    ...(cube['measures'] as Record<string, unknown>[]),
    ...(cube['dimensions'] as Record<string, unknown>[]),
  ]) {
    expect(member, String(member['name'])).toMatchObject({
      title: expect.any(String),
      shortTitle: expect.any(String),
      description: expect.any(String),
    });
  }
});
