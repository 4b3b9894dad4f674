import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomEvent, seeded } from './fixtures/random-events.ts';
import { openReportsServer, type ReportsServer } from './fixtures/reports-server.ts';
import { partUnlessAll } from '../../test/support/longer-runs.ts';

const member = (name: string): string => `campaign_overview.${name}`;
const TIME = member('time');
let server: ReportsServer;

beforeAll(async () => {
  server = await openReportsServer();
  const random = seeded(11);
  // Each event twice: rows of equal values are on pages, too.
  const events = Array.from({ length: 60 }, () => randomEvent(random));
  await server.insert([...events, ...events.map(({ event_id: _id, ...event }) => event)]);
}, 60_000);
afterAll(() => server.close());

async function rowsOf(query: object): Promise<string[]> {
  const body = (await (await server.load(query)).json()) as { data?: object[]; error?: string };
  expect(body.error).toBeUndefined();
  return (body.data ?? []).map((row) => JSON.stringify(row));
}

const measures = [member('impressions'), member('clicks')];
const QUERIES: readonly (readonly [string, object])[] = [
  ['days', { timeDimensions: [{ dimension: TIME, granularity: 'day' }] }],
  ['line items by an equal measure', { dimensions: [member('line_item_id'), member('country')] }],
  ['single events', { dimensions: [member('country')], ungrouped: true }],
  ['single events with their hours', { timeDimensions: [{ dimension: TIME, granularity: 'hour' }], ungrouped: true }],
];
const ORDERS: readonly (readonly [string, object])[] = [
  ['no order', {}],
  ['a measure upwards', { order: [[member('clicks'), 'asc']] }],
  ['a measure downwards', { order: [[member('impressions'), 'desc']] }],
  ['a dimension', { order: [[member('country'), 'asc']] }],
  ['an unknown member', { order: [[member('nothing'), 'asc']] }],
];

const CASES = QUERIES.flatMap(([of, query]) => ORDERS.map(([by, order]) => [of, by, { ...query, ...order }] as const));

test.each(partUnlessAll(CASES, 4))(
  'pages of %s by %s hold each row once, in the order of the whole',
  async (_of, _by, query) => {
    const times = (query as { timeDimensions?: object[] }).timeDimensions ?? [{ dimension: TIME }];
    const asked = {
      measures,
      ...query,
      timeDimensions: times.map((time) => ({ ...time, dateRange: ['2026-03-01', '2026-05-20'] })),
    };
    const whole = await rowsOf(asked);
    expect(whole.length).toBeGreaterThan(7);
    for (const limit of [7, 50]) {
      const pages: string[] = [];
      for (let offset = 0; offset < whole.length; offset += limit)
        pages.push(...(await rowsOf({ ...asked, limit, offset })));
      expect(pages).toEqual(whole);
    }
  },
);
