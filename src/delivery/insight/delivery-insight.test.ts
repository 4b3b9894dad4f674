import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, createTestOlapDatabase, silentLog } from '../../../test/support/stores.ts';
import type { TestOlapDatabase } from '../../../test/support/stores.ts';
import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { DeliveryInsight } from '../../domain/booking/delivery-insight.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openHotStore } from '../../storage/hot/open-hot-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { CompiledNetworks } from '../snapshot/compiled-networks.ts';
import { decide } from '../decision/decide.ts';
import { DELIVERY_OLAP_MIGRATIONS } from './diagnosis/decision-reasons.olap.ts';
import { DecisionReasons } from './diagnosis/decision-reasons.ts';
import { createDeliveryInsight } from './delivery-insight.ts';
import { ForecastThreads } from './forecast/forecast-thread.ts';
import { flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { sampleOpportunity, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';

const folder = createTestFolder();
let analytics: TestOlapDatabase;
let hot: HotStore;
let insight: DeliveryInsight;
let nowMs = Date.parse('2026-11-20T10:00:00Z');

/** 1 and 2 compete by price; 3 wants Germany, 4 is capped, 5 is paused. */
const compiled = compileWorkspace(
  sampleSnapshot({
    lineItems: [
      { name: 'Dear', priceMicros: 9_000_000 },
      { name: 'Cheap', priceMicros: 2_000_000 },
      { priceMicros: 20_000_000, targeting: { dimension: 'country', operator: 'is', values: ['DE'] } },
      { priceMicros: 30_000_000, caps: { impressionsLifetime: 5 } },
      { status: 'PAUSED' },
    ],
  }),
  nowMs,
  () => {},
);
const capped = lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: '4', kind: 'imp' });

beforeAll(async () => {
  analytics = await createTestOlapDatabase();
  await migrateOlap({ olap: analytics.olap, migrations: DELIVERY_OLAP_MIGRATIONS, log: silentLog });
  hot = openHotStore({ dir: folder.dir, nowMs: () => nowMs, log: silentLog });
  await hot.addToCounters([{ key: capped, by: 5n, ttlMs: 600_000 }]);
  insight = createDeliveryInsight({
    current: () => new CompiledNetworks([compiled]),
    hot,
    olap: analytics.olap,
    userHashSecret: Buffer.alloc(32),
    findGeo: (address) => ({ country: address === '192.0.2.1' ? 'DE' : '', region: '', city: '' }),
    curveOf: (_workspaceId, timezone) => flatCurve(timezone),
    forecasts: new ForecastThreads(hot),
    nowMs: () => nowMs,
    random: () => 0,
  });
});
afterAll(async () => {
  await hot?.close();
  await analytics?.close();
  folder.remove();
});

/** `count` decisions within a second, each offered to the sample. */
function decideMany(reasons: DecisionReasons, count: number): number {
  let explained = 0;
  for (let run = 0; run < count; run += 1) {
    if (!reasons.shouldExplain(1, nowMs, 6)) continue;
    explained += 1;
    const context = { state: stateOf({ [capped]: 5 }), nowMs, random: () => 0, explain: true };
    reasons.record(1, decide(compiled, sampleOpportunity({}), context), nowMs, 4);
  }
  return explained;
}

test('a diagnosis extrapolates a sample of decisions into a sentence with numbers and advice', async () => {
  const reasons = new DecisionReasons({ olap: analytics.olap, nowMs: () => nowMs, log: silentLog });
  expect(decideMany(reasons, 100), 'explaining may take 0.2 % of the time').toBe(1);
  nowMs += 2_000;
  expect(decideMany(reasons, 1)).toBe(1);
  await reasons.flush();

  const [dear, cheap, german, full, paused, unheard] = await insight.diagnose(1, ['1', '2', '3', '4', '5', '99']);
  // 1 The first of the hundred was explained on arrival; the second explained one represents the other 99.
  expect(dear).toMatchObject({ code: 'delivering', opportunities: 101 });
  expect(dear?.numbers).toEqual([{ reason: 'won', opportunities: 101, percent: 100 }]);
  expect(cheap).toMatchObject({ code: 'lost.price', advice: 'Raise the price.' });
  expect(cheap?.sentence).toBe(
    'Of about 101 opportunities in the last 24 hours it took 0 (0 %); most others were lost because others paid more (100 %).',
  );
  expect(german).toMatchObject({ code: 'targeting.country' });
  expect(full).toMatchObject({ code: 'capped.line_item' });
  expect(paused).toMatchObject({ code: 'paused' });
  expect(unheard).toMatchObject({ code: 'unknown', opportunities: 0 });
  expect((await insight.diagnose(2, ['1']))[0], 'of another workspace').toMatchObject({
    code: 'unknown',
    opportunities: 0,
  });
});

test('in a large network the first requests after a start do not wait for an explanation, and a later one stands for them', () => {
  const reasons = new DecisionReasons({ olap: analytics.olap, nowMs: () => nowMs, log: silentLog });
  const asked = (afterMs: number, lineItems: number): boolean => reasons.shouldExplain(7, nowMs + afterMs, lineItems);
  expect([asked(0, 4_000), asked(9_999, 4_000), asked(10_000, 4_000)]).toEqual([false, false, true]);
  const largest = new DecisionReasons({ olap: analytics.olap, nowMs: () => nowMs, log: silentLog });
  expect(largest.shouldExplain(7, nowMs, 1_000_000)).toBe(false);
  expect(largest.shouldExplain(7, nowMs + 60_000, 1_000_000), 'at most a minute later').toBe(true);
});

test('sums that cannot be stored are retained for the next time', async () => {
  let isDown = true;
  const stored: string[] = [];
  const olap = {
    insertRaw: async ({ body }: { body: Buffer }) => {
      if (isDown) throw new Error('away');
      stored.push(...body.toString().trim().split('\n'));
    },
  };
  const reasons = new DecisionReasons({ olap, nowMs: () => nowMs, log: silentLog });
  decideMany(reasons, 1);
  await reasons.flush();
  isDown = false;
  await reasons.flush();
  expect(stored.map((line) => (JSON.parse(line) as { line_item_id: string }).line_item_id).sort()).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
  ]);
});

const bidRequest = {
  id: 'r1',
  imp: [{ id: 'i1', tagid: 'home/top', banner: { format: [{ w: 300, h: 250 }] } }],
  site: { id: 'news', domain: 'news.example' },
  device: { geo: { country: 'POL' } },
};

test('a request is explained with the present counters and counts nothing', async () => {
  const explained = await insight.explain(1, bidRequest, { atMs: nowMs, lineItemId: null });
  expect(explained.slots).toHaveLength(1);
  expect(explained.slots[0]?.winner).toMatchObject({ lineItemId: '1', name: 'Dear', bidMicros: 9_000_000 });
  const reasons = Object.fromEntries(explained.slots[0]?.losers.map((one) => [one.lineItemId, one.reason]) ?? []);
  expect(reasons).toEqual({ 2: 'lost.price', 3: 'targeting.country', 4: 'capped.line_item', 5: 'paused' });
  const one = await insight.explain(1, bidRequest, { atMs: nowMs, lineItemId: '4' });
  expect(one.slots[0]?.losers).toEqual([
    {
      lineItemId: '4',
      name: 'Line item 4',
      reason: 'capped.line_item',
      sentence: 'It did not serve, because a cap is reached.',
    },
  ]);
});

test('a request without a geo is looked up by its address, as the bid endpoint does', async () => {
  const device = { ip: '192.0.2.1' };
  const explained = await insight.explain(1, { ...bidRequest, device }, { atMs: nowMs, lineItemId: null });
  expect(explained.slots[0]?.winner, 'the line item that targets Germany').toMatchObject({ lineItemId: '3' });
});

test('a request that the bid endpoint refuses is refused, and so are too many impressions', async () => {
  const asked = (request: unknown) => insight.explain(1, request, { atMs: nowMs, lineItemId: null });
  await expect(asked({ id: 'r1' })).rejects.toMatchObject({ code: 'invalid_request' });
  const imp = Array.from({ length: 11 }, (_one, index) => ({ id: `i${index}`, banner: {} }));
  await expect(asked({ ...bidRequest, imp })).rejects.toMatchObject({ code: 'invalid_request' });
});
