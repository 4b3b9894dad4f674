/** Granularities that a query writes as an interval, over a real store. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomEvent, seeded } from './fixtures/random-events.ts';
import { openReportsServer, type ReportsServer } from './fixtures/reports-server.ts';

const member = (name: string): string => `campaign_overview.${name}`;
const TIME = member('time');
let server: ReportsServer;

beforeAll(async () => {
  server = await openReportsServer();
  const random = seeded(5);
  await server.insert(Array.from({ length: 200 }, () => randomEvent(random)));
}, 60_000);
afterAll(() => server.close());

type Row = Readonly<Record<string, string | null>>;
const dateRange = ['2026-03-01', '2026-05-20'];

async function load(query: object): Promise<{ readonly data?: readonly Row[]; readonly error?: string }> {
  return (await (await server.load({ timezone: 'Europe/Warsaw', ...query })).json()) as {
    data?: Row[];
    error?: string;
  };
}

/** Sums of single events by the start of the part that holds their wall time. */
async function expected(seconds: number, origin: string): Promise<Map<string, number>> {
  const { data = [] } = await load({
    measures: [member('requests')],
    dimensions: [TIME],
    timeDimensions: [{ dimension: TIME, dateRange }],
    ungrouped: true,
    limit: 50_000,
  });
  const originMs = Date.parse(`${origin}Z`);
  const sums = new Map<string, number>();
  for (const row of data) {
    const parts = Math.floor((Date.parse(`${row[TIME] ?? ''}Z`) - originMs) / (seconds * 1_000));
    const start = new Date(originMs + parts * seconds * 1_000).toISOString().slice(0, 23);
    sums.set(start, (sums.get(start) ?? 0) + Number(row[member('requests')] ?? 0));
  }
  return sums;
}

test.each([
  ['15_minutes', 900, '1970-01-01T00:00:00'],
  ['3_hours', 10_800, '1970-01-01T00:00:00'],
  ['3_hours_from_20260101T013000', 10_800, '2026-01-01T01:30:00'],
  ['7_days_from_20260102T000000', 604_800, '2026-01-02T00:00:00'],
  ['1_week_from_20260105T000000', 604_800, '2026-01-05T00:00:00'],
  ['1000001_seconds', 1_000_001, '1970-01-01T00:00:00'],
])(
  'rows by %s begin where its parts begin, and hold the sums of their events',
  async (granularity, seconds, origin) => {
    const { data = [], error } = await load({
      measures: [member('requests')],
      timeDimensions: [{ dimension: TIME, granularity, dateRange }],
      order: [[`${TIME}.${granularity}`, 'asc']],
      limit: 50_000,
    });
    expect(error).toBeUndefined();
    const sums = await expected(seconds, origin);
    const found = data.map((row) => [row[`${TIME}.${granularity}`], Number(row[member('requests')] ?? 0)]);
    expect(found.length).toBeGreaterThan(1);
    expect(found).toEqual([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  },
);

test.each(['0_minutes', '367_days', '15_months', '15_minutes_from_20261301T000000', '15_minutes_from_2026', "1_days'"])(
  'a query with the granularity %s is refused with its name',
  async (granularity) => {
    const { error } = await load({ timeDimensions: [{ dimension: TIME, granularity, dateRange }] });
    expect(error).toContain(granularity);
  },
);
