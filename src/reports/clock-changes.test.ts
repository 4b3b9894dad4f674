import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zonedAt } from '../domain/time/time-zone.ts';
import { openReportsServer, type ReportsServer } from './fixtures/reports-server.ts';
import { compilePlan } from './legacy/report-query.ts';
import { CAMPAIGN_OVERVIEW } from './model/campaign-overview.olap.ts';
import { MemberIndex } from './model/member-index.ts';
import { partUnlessAll } from '../../test/support/longer-runs.ts';

const TIME = 'campaign_overview.time';
const COUNT = 'campaign_overview.gross_impressions';
const QUARTER_MS = 15 * 60_000;
/** Clocks that go back at midnight, by half an hour, at other hours, and forward at midnight. */
const DAYS: readonly (readonly [timezone: string, day: string])[] = [
  ['Africa/Cairo', '2026-10-29'],
  ['Africa/Cairo', '2026-04-24'],
  ['Asia/Beirut', '2026-10-24'],
  ['America/Nuuk', '2026-10-24'],
  ['America/Scoresbysund', '2026-10-24'],
  ['America/Havana', '2026-11-01'],
  ['America/Santiago', '2026-04-04'],
  ['America/Santiago', '2026-09-06'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Europe/Warsaw', '2026-10-25'],
  ['Europe/Warsaw', '2026-03-29'],
];

let server: ReportsServer;

beforeAll(async () => {
  server = await openReportsServer();
  const instants = new Set<number>();
  for (const [timezone, day] of DAYS) {
    const start = Temporal.PlainDate.from(day).toZonedDateTime(timezone).epochMilliseconds;
    for (let at = start - 30 * 3_600_000; at < start + 60 * 3_600_000; at += QUARTER_MS) instants.add(at + 60_000);
  }
  await server.insert(
    [...instants].map((atMs) => ({
      kind: 'impression',
      event_id: `e${atMs}`,
      time: new Date(atMs).toISOString().replace('T', ' ').replace('Z', ''),
    })),
  );
}, 60_000);
afterAll(() => server.close());

interface Row {
  readonly [key: string]: string;
}

async function rowsOf(timezone: string, time: object, filters: readonly object[] = []): Promise<Row[]> {
  const query = { measures: [COUNT], timeDimensions: [{ dimension: TIME, ...time }], filters, timezone };
  const response = await server.load(query);
  const body = (await response.json()) as { data: Row[]; error?: string };
  expect(body.error).toBeUndefined();
  return body.data;
}
const countOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + Number(row[COUNT] ?? 0), 0);
const near = (day: string): [string, string] => {
  const date = Temporal.PlainDate.from(day);
  return [date.subtract({ days: 1 }).toString(), date.add({ days: 1 }).toString()];
};

describe.each(partUnlessAll(DAYS, 3))('in %s about %s', (timezone, day) => {
  test('the rows of a range sum to the range', async () => {
    const whole = countOf(await rowsOf(timezone, { dateRange: near(day) }));
    expect(whole).toBeGreaterThan(0);
    for (const granularity of ['minute', 'hour', 'day'] as const) {
      expect(countOf(await rowsOf(timezone, { dateRange: near(day), granularity }))).toBe(whole);
    }
  });

  test.each(['day', 'hour', 'minute'] as const)('each %s is a range with the count of its row', async (unit) => {
    const rows = await rowsOf(timezone, { dateRange: near(day), granularity: unit });
    const usual = { day: '96', hour: '4', minute: '1' }[unit];
    const own = rows.filter((row, at) => unit === 'day' || row[COUNT] !== usual || at % 60 === 0);
    const counts: number[] = [];
    for (const row of own) {
      const start = Temporal.PlainDateTime.from(row[`${TIME}.${unit}`] ?? '');
      const end = start.add({ [`${unit}s`]: 1 }).subtract({ milliseconds: 1 });
      const dateRange = [start, end].map((at) => at.toString({ fractionalSecondDigits: 3 }));
      counts.push(countOf(await rowsOf(timezone, { dateRange })));
    }
    expect(counts).toEqual(own.map((row) => Number(row[COUNT])));
  });

  test('a date selects the same rows in dateRange and in every filter', async () => {
    const counted = countOf(await rowsOf(timezone, { dateRange: [day, day] }));
    const within = (...filters: readonly (readonly [string, ...string[]])[]): Promise<Row[]> =>
      rowsOf(
        timezone,
        { dateRange: near(day) },
        filters.map(([operator, ...values]) => ({ member: TIME, operator, values })),
      );
    const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString();
    expect(countOf(await within(['onTheDate', day]))).toBe(counted);
    expect(countOf(await within(['inDateRange', day, day]))).toBe(counted);
    expect(countOf(await within(['afterOrOnDate', day], ['beforeOrOnDate', day]))).toBe(counted);
    expect(countOf(await within(['gte', day], ['lt', next]))).toBe(counted);
    expect(countOf(await within(['gt', `${near(day)[0]}T23:59:59.999`], ['lte', `${day}T23:59:59.999`]))).toBe(counted);
  });

  test('an instant means the same in dateRange, in filters and in UTC', async () => {
    const start = Temporal.PlainDate.from(day).toZonedDateTime(timezone).epochMilliseconds;
    const change = zonedAt(timezone, start - 3_600_000).getTimeZoneTransition('next')?.epochMilliseconds ?? start;
    for (const shift of [-4, -2, 0, 2, 4]) {
      const from = new Date(change + shift * QUARTER_MS).toISOString();
      const until = new Date(change + (shift + 3) * QUARTER_MS - 1).toISOString();
      const ranged = await rowsOf(timezone, { dateRange: [from, until] });
      expect(countOf(ranged)).toBe(3);
      expect(await rowsOf('UTC', { dateRange: [from, until] })).toEqual(ranged);
      const filters = [{ member: TIME, operator: 'inDateRange', values: [from, until] }];
      expect(countOf(await rowsOf(timezone, { dateRange: near(day) }, filters))).toBe(3);
    }
  });
});

test('a report task counts the same day as the Reports API', async () => {
  const [timezone, day] = ['Africa/Cairo', '2026-10-29'];
  const plan = {
    timezone,
    range: [`${day}T00:00:00.000`, `${day}T23:59:59.999`],
    granularity: 'day',
    split: [],
    metrics: ['gross_impressions'],
    filters: [],
  } as const;
  const tenant = { workspaceId: 1, networkId: '1' };
  const index = new MemberIndex({ cubes: [CAMPAIGN_OVERVIEW] });
  const { compiled } = compilePlan(plan, { tenant, index, nowMs: Date.parse('2026-11-20T10:00:00Z') });
  const rows = await server.analytics.olap.query<Record<string, unknown>>(compiled);
  expect(rows.map((row) => Number(row['m0']))).toEqual([countOf(await rowsOf(timezone, { dateRange: [day, day] }))]);
});
