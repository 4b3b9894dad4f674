import { expect, test } from 'vitest';
import { compileQuery } from './compile/compile-query.olap.ts';
import { LEGACY_DEFINITIONS } from './legacy/definitions.ts';
import { readPlan } from './legacy/report-plan.ts';
import { CAMPAIGN_OVERVIEW } from './model/campaign-overview.olap.ts';
import { MemberIndex } from './model/member-index.ts';
import { normalizeQuery } from './query/normalize.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const index = new MemberIndex({ cubes: [CAMPAIGN_OVERVIEW] });

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('Nothing was refused');
}

const load = (query: object): unknown =>
  compileQuery(
    index,
    normalizeQuery({ measures: ['campaign_overview.clicks'], ...query }, { nowMs: NOW_MS, timezoneDefault: 'UTC' }),
    { workspaceId: 1, networkId: '1' },
    NOW_MS,
  );
const overTime = (dateRange: readonly string[]): object => ({
  timeDimensions: [{ dimension: 'campaign_overview.time', dateRange }],
});

test.each<[string, object, string]>([
  [
    'a missing date range',
    {},
    'A dateRange is required: name one in timeDimensions, such as {"dimension": "campaign_overview.time", "dateRange": ["2026-01-01", "2026-01-31"]}.',
  ],
  [
    'a range of 91 days',
    overTime(['2026-01-01', '2026-04-01']),
    'The dateRange spans 91 days (2026-01-01T00:00:00.000 to 2026-04-01T23:59:59.999); at most 90 days are allowed in one request.',
  ],
  [
    'a range that ends before it begins',
    overTime(['2026-01-02', '2026-01-01']),
    "The dateRange ends before it begins: '2026-01-02' to '2026-01-01'",
  ],
  [
    'a date that is none',
    overTime(['2026-13-01']),
    "Can't parse date: '2026-13-01'. Dates are ISO 8601, in the years 1970 to 2105.",
  ],
  [
    'an unknown time zone',
    { ...overTime(['2026-01-01']), timezone: 'Europe/Nowhere' },
    'Invalid query format: "timezone" must be a valid IANA time zone, got "Europe/Nowhere"',
  ],
])('the Reports API refuses %s in these words', (_what, query, message) => {
  expect(messageOf(() => load(query))).toBe(message);
});

test('a range of 90 days of instants is allowed where clocks change in it', () => {
  const query = { ...overTime(['2026-01-10T00:00:00Z', '2026-04-09T23:59:59.999Z']), timezone: 'Europe/Warsaw' };
  expect(load(query)).toHaveProperty('relation');
});

test.each<[string, object, string]>([
  [
    'an unknown time zone',
    { timezone: 'Europe/Nowhere' },
    'Unknown timezone "Europe/Nowhere": give an IANA name such as Europe/Warsaw.',
  ],
  [
    'a range of 401 days',
    { date_range: { kind: 'static', date_from: '2025-01-01', date_to: '2026-02-05' } },
    'date_range spans 401 days; at most 400 are allowed in one report.',
  ],
  ['a missing range', { date_range: null }, 'date_range is required: give kind, date_from and date_to.'],
])('a report task with %s is refused in these words', (_what, attributes, message) => {
  const [definition] = LEGACY_DEFINITIONS;
  if (definition === undefined) throw new Error('There is no definition');
  const range = { date_range: { kind: 'static', date_from: '2026-01-01', date_to: '2026-01-31' } };
  const clock = { nowMs: NOW_MS, timezoneDefault: 'UTC', cube: CAMPAIGN_OVERVIEW };
  expect(messageOf(() => readPlan(definition, { ...range, ...attributes }, clock))).toBe(message);
});
