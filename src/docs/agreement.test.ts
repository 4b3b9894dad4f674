/**
 * The schemas of the description, held against what checks requests where that is written by hand. In this process, so that thousands
 * of bodies can be tried; test/conformance/openapi/openapi-agreement.test.ts sends some hundreds to a whole server.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { mutatedBody } from '../../test/rtb/bid-grammar.ts';
import { parseAdsRequest } from '../delivery/ad-request/ads-request.ts';
import { AdsRequest } from '../delivery/ad-request/ads.schema.ts';
import { parseBidRequest } from '../delivery/openrtb/bid-request.ts';
import { BidRequest } from '../delivery/openrtb/bid.schema.ts';
import { PlacardError } from '../domain/errors.ts';
import { parseActivityInput } from '../events/activities/activity-input.ts';
import { ActivityEvent } from '../events/activities/activity.schema.ts';
import { parseJsonBody } from '../http/shared/json.ts';
import { QueryShape, ReportQuery } from '../reports/query/query.schema.ts';
import { findShapeProblem } from '../reports/query/query-shape.ts';
import { runsOf } from '../../test/support/longer-runs.ts';

const NUM_RUNS = runsOf(2_000);
const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** The fault of a body by the code that checks it; null = none. Other failures than refusals are thrown. */
type Check = (body: unknown) => string | null;

const refusalOf =
  (read: (body: unknown) => unknown): Check =>
  (body) => {
    try {
      read(body);
      return null;
    } catch (error) {
      if (!(error instanceof PlacardError)) throw error;
      // A schema cannot state rules that depend on the clock or on the length of a text in JSON.
      const beyond = ['too_old', 'in_future', 'not_instant', 'not_products'];
      if (error.fields.length > 0 && error.fields.every(({ code }) => beyond.includes(code))) return null;
      return error.message;
    }
  };
const CHECKS = {
  bid: refusalOf(parseBidRequest),
  ads: refusalOf(parseAdsRequest),
  event: refusalOf((body) => parseActivityInput(body, NOW_MS)),
} satisfies Record<string, Check>;

const bid = {
  id: 'r1',
  imp: [{ id: '1', tagid: 'home', banner: { format: [{ w: 300, h: 250 }] }, secure: 1, bidfloor: 1.5 }],
  site: { id: 's', domain: 'magazine.example', page: 'https://magazine.example/', ext: { area: 'home', kwrd: 'a+b' } },
  user: { consent: 'C', ext: { npa: true, ids: { lu: 'x', aid: 'y' } } },
  regs: { gdpr: 1, ext: { dsa: 1 } },
  tmax: 100,
  test: 0,
};
const ads = {
  network: '1000',
  adUnit: 'home/sidebar',
  count: 3,
  site: { domain: 'magazine.example' },
  keywords: ['a'],
  keyValues: { k: ['v'], l: 'w' },
  user: { ids: { lu: 'x' }, npa: true, consent: 'C' },
  regs: { gdpr: 0 },
  device: { ua: 'x', ip: '203.0.113.9' },
  sizes: ['300x250', '1x1'],
};
const event = {
  network: '1000',
  actgid: 'demo-purchase',
  event: 'purchased',
  cost: '12.50',
  ord: 'o1',
  lu: 'x',
  aid: 'y',
  clickId: '01JD0000000000000000000000',
  qty: 2,
  tax: '1',
  currency: 'PLN',
  npa: false,
  products: [{ id: 1 }],
  ts: NOW_MS - 1_000,
};
const query = {
  measures: ['campaign_overview.impressions'],
  dimensions: ['campaign_overview.creative_id', 'campaign_overview.time.day'],
  timeDimensions: [
    { dimension: 'campaign_overview.time', dateRange: ['2026-11-01', '2026-11-07'], granularity: 'day' },
    { dimension: 'campaign_overview.time', compareDateRange: ['last week', ['2026-11-01']] },
  ],
  filters: [
    { member: 'campaign_overview.site', operator: 'equals', values: ['1', 2, true, null] },
    { or: [{ dimension: 'a.b', operator: 'set' }, { and: [{ member: 'a.b', operator: 'gt', values: [1] }] }] },
  ],
  segments: ['a.b'],
  order: [['a.b', 'asc'], { id: 'a.b', desc: true }],
  limit: 10,
  offset: 0,
  total: true,
  timezone: 'Europe/Warsaw',
  cache: 'no-cache',
};
const QUERIES = [
  query,
  {
    ...query,
    order: { 'a.b': 'desc', c: 'asc' },
    timezone: 'UTC',
    total: 'true',
    cacheMode: null,
    responseFormat: 'compact',
  },
  { measures: [], order: null, timezone: null, ungrouped: 'false', renewQuery: 1, rowLimit: null, queryType: 'multi' },
  { timeDimensions: [{ dimension: 'a.b', granularity: null, dateRange: null, compareDateRange: [] }] },
  { timeDimensions: [{ dimension: 'a.b', dateRange: 'last 7 days' }], limit: 50_000 },
];

/** A body as it is after it came over the wire; null for one that is nested too deeply to come through. */
function sent(body: unknown): unknown {
  try {
    return parseJsonBody(Buffer.from(JSON.stringify(body) ?? 'null'));
  } catch {
    return null;
  }
}
const changed = (seeds: readonly unknown[]): fc.Arbitrary<unknown> => mutatedBody(seeds).map(({ body }) => sent(body));

describe('schemas and parsers', () => {
  test.each<[string, z.ZodType, Check, object]>([
    ['bid requests', BidRequest, CHECKS.bid, bid],
    ['ad requests', AdsRequest, CHECKS.ads, ads],
    ['activity events', ActivityEvent, CHECKS.event, event],
  ])('%s', (_name, schema, check, seed) => {
    expect([schema.safeParse(seed).success, check(seed)]).toEqual([true, null]);
    let taken = 0;
    fc.assert(
      fc.property(changed([seed]), (body) => {
        if (!schema.safeParse(body).success) return;
        taken += 1;
        expect(check(body)).toBeNull();
      }),
      { numRuns: NUM_RUNS },
    );
    // Else the test would show nothing.
    expect(taken).toBeGreaterThan(NUM_RUNS / 20);
  });
});

describe('report queries', () => {
  test('the schema takes exactly what the check lets pass', () => {
    const counts = { taken: 0, refused: 0 };
    for (const seed of QUERIES) expect([seed, QueryShape.safeParse(seed).success]).toEqual([seed, true]);
    fc.assert(
      fc.property(changed(QUERIES), (body) => {
        const isTaken = findShapeProblem(body) === null;
        counts[isTaken ? 'taken' : 'refused'] += 1;
        expect(QueryShape.safeParse(body).success, findShapeProblem(body) ?? '').toBe(isTaken);
      }),
      { numRuns: NUM_RUNS },
    );
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(NUM_RUNS / 20);
  });

  const leaf = { member: 'a.b', operator: 'set' };
  const tree = (depth: number): object => (depth === 0 ? leaf : { or: [tree(depth - 1)] });
  const list = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  test.each([
    ['members in a list', (n: number) => ({ measures: list(n, 'a.b') }), 1_000],
    ['filters', (n: number) => ({ filters: list(n, leaf) }), 1_000],
    ['filters in a tree', (n: number) => ({ filters: [{ and: list(n, leaf) }] }), 1_000],
    ['depth of filters', (n: number) => ({ filters: [tree(n)] }), 16],
    ['values', (n: number) => ({ filters: [{ ...leaf, values: list(n, 1) }] }), 1_000],
    [
      'values in all filters',
      (n: number) => ({
        filters: list(10, 0).map((_none, at) => ({ ...leaf, values: list(at < 9 ? 500 : n - 4_500, 1) })),
      }),
      5_000,
    ],
    ['characters of a value', (n: number) => ({ filters: [{ ...leaf, values: ['x'.repeat(n)] }] }), 10_000],
    [
      'bytes of a granularity',
      (n: number) => ({ timeDimensions: [{ dimension: 'a.b', granularity: 'ż'.repeat(n) }] }),
      64,
    ],
    [
      'dates of a range',
      (n: number) => ({ timeDimensions: [{ dimension: 'a.b', dateRange: list(n, '2026-11-01') }] }),
      2,
    ],
    ['time dimensions', (n: number) => ({ timeDimensions: list(n, { dimension: 'a.b' }) }), 10],
    ...Object.entries({
      dateRange: (text: string) => ({ dateRange: text }),
      'end of a dateRange': (text: string) => ({ dateRange: ['2026-11-01', text] }),
      compareDateRange: (text: string) => ({ compareDateRange: ['today', text] }),
    }).map(([name, make]): [string, (n: number) => object, number] => [
      `characters of a ${name}`,
      (n) => ({ timeDimensions: [{ dimension: 'a.b', ...make('x'.repeat(n)) }] }),
      200,
    ]),
    ['parts of an order', (n: number) => ({ order: { [list(n, 'a').join('.')]: 'asc' } }), 3],
  ])('both take as many %s, and no more', (_name, make, max) => {
    for (const [count, isTaken] of [
      [max, true],
      [max + 1, false],
    ] as const) {
      expect([findShapeProblem(make(count)) === null, QueryShape.safeParse(make(count)).success]).toEqual([
        isTaken,
        isTaken,
      ]);
    }
  });

  test('the described query is one that the check lets pass', () => {
    fc.assert(
      fc.property(changed(QUERIES), (body) => {
        if (ReportQuery.safeParse(body).success) expect(findShapeProblem(body)).toBeNull();
      }),
      { numRuns: NUM_RUNS },
    );
  });
});

describe('limits and patterns', () => {
  const text = (charsCount: number): string => 'x'.repeat(charsCount);
  const list = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  const imps = (count: number) => Array.from({ length: count }, (_one, at) => ({ id: String(at), video: {} }));

  test.each<[string, z.ZodType, Check, object, object]>([
    ['100 slots', BidRequest, CHECKS.bid, { ...bid, imp: imps(100) }, { ...bid, imp: imps(101) }],
    ['20 ads', AdsRequest, CHECKS.ads, { ...ads, count: 20 }, { ...ads, count: 21 }],
    ['one ad', AdsRequest, CHECKS.ads, { ...ads, count: 1 }, { ...ads, count: 0 }],
    ['sizes of four digits', AdsRequest, CHECKS.ads, { ...ads, sizes: ['9999x1'] }, { ...ads, sizes: ['10001x1'] }],
    [
      '20 digits of a network',
      ActivityEvent,
      CHECKS.event,
      { ...event, network: '1'.repeat(20) },
      { ...event, network: '1'.repeat(21) },
    ],
    [
      '128 characters of a pixel id',
      ActivityEvent,
      CHECKS.event,
      { ...event, actgid: text(128) },
      { ...event, actgid: text(129) },
    ],
    [
      '64 characters of an event',
      ActivityEvent,
      CHECKS.event,
      { ...event, event: text(64) },
      { ...event, event: text(65) },
    ],
    [
      '128 characters of an order',
      ActivityEvent,
      CHECKS.event,
      { ...event, ord: text(128) },
      { ...event, ord: text(129) },
    ],
    [
      '256 characters of a user id',
      ActivityEvent,
      CHECKS.event,
      { ...event, lu: text(256) },
      { ...event, lu: text(257) },
    ],
    ['a ULID', ActivityEvent, CHECKS.event, event, { ...event, clickId: '81JD0000000000000000000000' }],
    ['a code in capitals', ActivityEvent, CHECKS.event, event, { ...event, currency: 'pln' }],
    ['six decimals', ActivityEvent, CHECKS.event, { ...event, cost: '1.123456' }, { ...event, cost: '1.1234567' }],
    ['a thousand million items', ActivityEvent, CHECKS.event, { ...event, qty: 1e9 }, { ...event, qty: 1e9 + 1 }],
    ['no control characters', ActivityEvent, CHECKS.event, { ...event, ord: ' ' }, { ...event, ord: '\u0001' }],
  ])('the schema and the parser of %s accept and reject the same bodies', (_name, schema, check, good, bad) => {
    expect([schema.safeParse(good).success, check(good)]).toEqual([true, null]);
    expect([schema.safeParse(bad).success, check(bad)]).toEqual([false, expect.any(String)]);
  });

  test('100 products, whatever else is wrong with them', () => {
    const withProducts = (count: number) => ({ ...event, products: list(count, 1) });
    expect([100, 101].map((count) => ActivityEvent.safeParse(withProducts(count)).success)).toEqual([true, false]);
    expect(() => parseActivityInput(withProducts(101), NOW_MS)).toThrow(/at most 100/);
    expect(parseActivityInput(withProducts(100), NOW_MS).products).toHaveLength(201);
  });
});
