import { afterAll, beforeAll, expect, test } from 'vitest';
import { scoreForecast } from '../../../domain/booking/forecast-record.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T10:00:00Z');

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
  for (const workspaceId of [1, 3]) await seedLineItems(workspaceId);
});
afterAll(() => api.close());

/** Line items 1 to 5 of a workspace. */
async function seedLineItems(workspaceId: number): Promise<void> {
  const { db } = api.database;
  const own = { workspace_id: workspaceId, external_id: null };
  const advertiser = { name: 'A', domains: [], dsa_behalf: null, dsa_paid: null, credit_micros: null };
  await db
    .insertInto('advertisers')
    .values({ ...own, id: 1n, ...advertiser })
    .execute();
  await db
    .insertInto('campaigns')
    .values({ ...own, id: 1n, advertiser_id: 1n, name: 'C', status: 'ACTIVE' })
    .execute();
  const rest = { campaign_id: 1n, status: 'ACTIVE', type: 'STANDARD', share_percent: null, timezone: null } as const;
  await db
    .insertInto('line_items')
    .values([1n, 2n, 3n, 4n, 5n].map((id) => ({ ...own, ...rest, id, name: `L${id}`, targeting: null })))
    .execute();
}

interface Stored {
  readonly workspaceId?: number;
  readonly lineItemId: bigint;
  readonly madeDaysAgo: number;
  readonly endedDaysAgo: number;
  readonly impressions: number;
  /** Null: not scored. */
  readonly delivered: number | null;
}

/** Stores a forecast of ±10 % (80 %) and ±20 % (95 %). */
async function store({ workspaceId = 1, lineItemId, madeDaysAgo, endedDaysAgo, ...one }: Stored): Promise<void> {
  const at = (daysAgo: number): Date => new Date(NOW - daysAgo * DAY_MS);
  const expected = {
    impressions: one.impressions,
    likelyLow: Math.round(0.9 * one.impressions),
    likelyHigh: Math.round(1.1 * one.impressions),
    possibleLow: Math.round(0.8 * one.impressions),
    possibleHigh: Math.round(1.2 * one.impressions),
  };
  const key = { workspace_id: workspaceId, line_item_id: lineItemId, made_at: at(madeDaysAgo) };
  const { db } = api.database;
  await db
    .insertInto('forecast_records')
    .values({
      ...key,
      terms: 't',
      model: 1,
      starts_at: at(madeDaysAgo),
      ends_at: at(endedDaysAgo),
      goal: JSON.stringify({ kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' }),
      sampled_hours: 336,
      matched: 9_000,
      available: 5_000,
      impressions: expected.impressions,
      likely_low: expected.likelyLow,
      likely_high: expected.likelyHigh,
      possible_low: expected.possibleLow,
      possible_high: expected.possibleHigh,
      revenue_micros: 12_500_000,
      displaced_micros: 2_000_000,
      counted_before: 0,
      state: 'NOT_SCORED',
      reason: 'CHANGED',
    })
    .execute();
  if (one.delivered === null) return;
  const score = scoreForecast(expected, one.delivered);
  await db
    .updateTable('forecast_records')
    .set({ state: 'SCORED', reason: null, delivered: one.delivered, error: score.error, closed_at: new Date(NOW) })
    .set({ inside_likely: score.isInsideLikely, inside_possible: score.isInsidePossible })
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', '=', lineItemId)
    .where('made_at', '=', key.made_at)
    .execute();
}

const RECORD = `{ state reason madeAt model sampledHours matched available impressions likelyLow likelyHigh possibleLow possibleHigh
  revenue displacedRevenue goal { target } score { delivered errorPercent isInsideLikely isInsidePossible scoredAt } }`;

const accuracy = (args: string, as = 'admin') =>
  api.ask(
    `{ forecastAccuracy(${args}) { scored notScored insideLikelyPercent insidePossiblePercent medianErrorPercent biasPercent } }`,
    { as },
  );
const NOVEMBER = 'from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z"';

test('the accuracy of a network without an ended flight is empty and not 0', async () => {
  const { body } = await accuracy(NOVEMBER);
  expect(body.data).toEqual({
    forecastAccuracy: {
      scored: 0,
      notScored: 0,
      insideLikelyPercent: null,
      insidePossiblePercent: null,
      medianErrorPercent: null,
      biasPercent: null,
    },
  });
});

test('the accuracy of a network counts its flights of the span, their intervals, the median error and the bias of all', async () => {
  await store({ lineItemId: 1n, madeDaysAgo: 9, endedDaysAgo: 2, impressions: 1_000, delivered: 1_000 });
  await store({ lineItemId: 2n, madeDaysAgo: 9, endedDaysAgo: 2, impressions: 1_150, delivered: 1_000 });
  await store({ lineItemId: 3n, madeDaysAgo: 9, endedDaysAgo: 2, impressions: 500, delivered: 1_000 });
  await store({ lineItemId: 4n, madeDaysAgo: 9, endedDaysAgo: 2, impressions: 700, delivered: null });
  await store({ lineItemId: 5n, madeDaysAgo: 90, endedDaysAgo: 80, impressions: 1, delivered: 1_000 });
  await store({ workspaceId: 3, lineItemId: 1n, madeDaysAgo: 9, endedDaysAgo: 2, impressions: 1, delivered: 1_000 });
  const { body } = await accuracy(NOVEMBER, 'reader');
  expect(body.data).toEqual({
    forecastAccuracy: {
      scored: 3,
      notScored: 1,
      insideLikelyPercent: 33.33,
      insidePossiblePercent: 66.67,
      medianErrorPercent: 15,
      biasPercent: -11.67,
    },
  });
  expect((await accuracy(NOVEMBER, 'stranger')).body.data).toMatchObject({ forecastAccuracy: { scored: 1 } });
  expect((await accuracy(NOVEMBER, 'audience')).body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
});

test('a line item shows its latest forecast with its score', async () => {
  await store({ lineItemId: 1n, madeDaysAgo: 20, endedDaysAgo: 10, impressions: 4, delivered: null });
  const { lineItem } = await api.data<{ lineItem: unknown }>(`{ lineItem(id: "1") { forecastRecord ${RECORD} } }`);
  expect(lineItem).toEqual({
    forecastRecord: {
      state: 'SCORED',
      reason: null,
      madeAt: '2026-11-11T10:00:00.000Z',
      model: 1,
      sampledHours: 336,
      matched: 9_000,
      available: 5_000,
      impressions: 1_000,
      likelyLow: 900,
      likelyHigh: 1_100,
      possibleLow: 800,
      possibleHigh: 1_200,
      revenue: '12.5',
      displacedRevenue: '2',
      goal: { target: 1_000 },
      score: {
        delivered: 1_000,
        errorPercent: 0,
        isInsideLikely: true,
        isInsidePossible: true,
        scoredAt: '2026-11-20T10:00:00.000Z',
      },
    },
  });
  const { lineItem: other } = await api.data<{ lineItem: unknown }>(
    '{ lineItem(id: "4") { forecastRecord { state reason score { delivered } } } }',
  );
  expect(other).toEqual({ forecastRecord: { state: 'NOT_SCORED', reason: 'CHANGED', score: null } });
});

test.each([
  ['backward', 'from: "2026-12-01T00:00:00Z", to: "2026-11-01T00:00:00Z"'],
  ['too long', 'from: "2025-01-01T00:00:00Z", to: "2026-11-01T00:00:00Z"'],
])('a span that is %s is refused', async (_title, args) => {
  expect((await accuracy(args)).body.errors?.[0]?.extensions).toMatchObject({
    code: 'validation_failed',
    fields: [{ path: 'to', code: 'out_of_range' }],
  });
});
