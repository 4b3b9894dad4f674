import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  createTestDatabase,
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
} from '../../../test/support/stores.ts';
import type { TestDatabase, TestOlapDatabase } from '../../../test/support/stores.ts';
import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { CompiledNetworks } from '../snapshot/compiled-networks.ts';
import { decide } from '../decision/decide.ts';
import { RecentChanges } from '../decision/index/recent-changes.ts';
import { DELIVERY_OLAP_MIGRATIONS } from './diagnosis/decision-reasons.olap.ts';
import { DecisionReasons, type DecisionReasonsDeps } from './diagnosis/decision-reasons.ts';
import { createDeliveryInsight } from './delivery-insight.ts';
import { FLOORS_THREAD } from './floors/floors-thread.ts';
import { ForecastThreads } from './forecast/forecast-thread.ts';
import { flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';

const folder = createTestFolder();
let analytics: TestOlapDatabase;
let database: TestDatabase;
let hot: HotStore;
let insight: ReturnType<typeof createDeliveryInsight>;
let nowMs = Date.parse('2026-11-20T10:00:00Z');

/** 1 and 2 compete by price; 3 wants Germany, 4 is capped, 5 is paused; the snapshot has forgotten 6, which is booked like 5. */
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
  [analytics, database] = await Promise.all([createTestOlapDatabase(), createTestDatabase()]);
  await seedBookings(database);
  await migrateOlap({ olap: analytics.olap, migrations: DELIVERY_OLAP_MIGRATIONS, log: silentLog });
  hot = openLedger({ dir: folder.dir, nowMs: () => nowMs, log: silentLog });
  await hot.addToCounters([{ key: capped, by: 5n, ttlMs: 600_000 }]);
  insight = newInsight(database.db);
});
afterAll(async () => {
  await hot?.close();
  await analytics?.close();
  await database?.close();
  folder.remove();
});

function newInsight(sql: TestDatabase['db']): ReturnType<typeof createDeliveryInsight> {
  return createDeliveryInsight({
    current: () => new CompiledNetworks([compiled]),
    hot,
    olap: analytics.olap,
    userHashSecret: Buffer.alloc(32),
    linkKeys: [],
    decisionsDir: folder.dir,
    findGeo: (address) => ({ country: address === '192.0.2.1' ? 'DE' : '', region: '', city: '' }),
    sql,
    curveOf: () => flatCurve('Europe/Warsaw'),
    forecasts: new ForecastThreads(hot),
    floors: new ForecastThreads(hot, FLOORS_THREAD),
    freeTrafficOf: () => null,
    contextModelOf: () => null,
    readNetworkHours: () => Promise.resolve([]),
    readAdUnitDays: () => Promise.resolve([]),
    nowMs: () => nowMs,
    random: () => 0,
  });
}

const changes = new RecentChanges();

/** `count` decisions within a second, each offered to the sample. */
function decideMany(reasons: DecisionReasons, count: number): number {
  let explained = 0;
  for (let run = 0; run < count; run += 1) {
    if (!reasons.shouldExplain(1, nowMs, 6)) continue;
    explained += 1;
    const context = { state: stateOf({ [capped]: 5 }), nowMs, random: () => 0, explain: true };
    reasons.record(1, decide(compiled, sampleOpportunity({}), context), { nowMs, tookMs: 4, changes });
  }
  return explained;
}

/** The line items of the snapshot, as PostgreSQL has them. */
async function seedBookings({ db }: TestDatabase): Promise<void> {
  await db.insertInto('networks').values({ id: 1000n, name: 'Sample', currency: 'PLN' }).execute();
  await db.insertInto('workspaces').values({ id: 1, network_id: 1000n, environment: 'production' }).execute();
  await db
    .insertInto('advertisers')
    .values({ workspace_id: 1, id: 1n, name: 'Acme' } as never)
    .execute();
  const campaign = { workspace_id: 1, id: 1n, advertiser_id: 1n, name: 'Campaign', status: 'ACTIVE' };
  await db
    .insertInto('campaigns')
    .values(campaign as never)
    .execute();
  for (const id of [1, 2, 3, 4, 5, 6]) {
    const status = id >= 5 ? 'PAUSED' : 'ACTIVE';
    const lineItem = {
      workspace_id: 1,
      id: BigInt(id),
      campaign_id: 1n,
      name: `Line item ${id}`,
      type: 'PRICE',
      status,
    };
    await db
      .insertInto('line_items')
      .values({ ...lineItem, price_micros: 2_000_000n } as never)
      .execute();
    const creative = { workspace_id: 1, line_item_id: BigInt(id), name: 'Creative', review_state: 'APPROVED' };
    const content = JSON.stringify({ format: 'HTML', html: '<b>n</b>' });
    const rest = { format: 'HTML', content, click_url: 'https://acme.example/', width: 300, height: 250 };
    await db
      .insertInto('creatives')
      .values({ ...creative, ...rest } as never)
      .execute();
  }
}

/** Recording takes no time, so that the number of explained decisions is known. */
function newReasons(olap: DecisionReasonsDeps['olap']): DecisionReasons {
  return new DecisionReasons({ olap, nowMs: () => nowMs, log: silentLog, cpuMs: () => 0 });
}

test('a diagnosis extrapolates a sample of decisions into a sentence with numbers, advice and a change', async () => {
  const reasons = newReasons(analytics.olap);
  // 251 decisions use up the saved second; the 49 others are represented by the next one.
  expect(decideMany(reasons, 300), 'in the long run, explaining may take 0.2 % of the time').toBe(251);
  nowMs += 2_000;
  expect(decideMany(reasons, 1)).toBe(1);
  nowMs += 1_000;
  expect(decideMany(reasons, 1), 'what is used is saved again').toBe(0);
  await reasons.flush();

  const [dear, cheap, german, full, paused, unheard] = await insight.diagnose(1, ['1', '2', '3', '4', '5', '99']);
  expect(dear).toMatchObject({ code: 'delivering', opportunities: 301, inReach: 301, changes: [] });
  expect(dear?.numbers).toEqual([{ reason: 'won', opportunities: 301, percent: 100 }]);
  expect(cheap).toMatchObject({ code: 'lost.price', advice: 'Raise the price.' });
  expect(cheap?.sentence).toBe(
    'Of about 301 opportunities in the last 24 hours, 301 match what it is booked for, and it took 0 (0 %); most others were lost because others paid more, most of all Dear (PRICE, level 8, 9 CPM) (301 for this alone).',
  );
  expect(cheap?.texts, 'the same as data').toEqual([
    {
      code: 'seen',
      values: [
        { name: 'opportunities', kind: 'COUNT', value: '301' },
        { name: 'hours', kind: 'COUNT', value: '24' },
        { name: 'inReach', kind: 'COUNT', value: '301' },
        { name: 'won', kind: 'COUNT', value: '0' },
        { name: 'percent', kind: 'PERCENT', value: '0' },
      ],
    },
    { code: 'most_lost', values: [] },
    { code: 'because_lost_price', values: [] },
    {
      code: 'rival',
      values: [
        { name: 'name', kind: 'NAME', value: 'Dear' },
        { name: 'type', kind: 'CONSTANT', value: 'PRICE' },
        { name: 'level', kind: 'COUNT', value: '8' },
        { name: 'bid', kind: 'MONEY', value: '9' },
      ],
    },
    { code: 'alone', values: [{ name: 'opportunities', kind: 'COUNT', value: '301' }] },
  ]);
  expect(cheap?.rivals).toEqual([
    { lineItemId: '1', name: 'Dear', type: 'PRICE', level: 8, bidMicros: 9_000_000, opportunities: 301 },
  ]);
  const [change] = cheap?.changes ?? [];
  expect(change).toMatchObject({ sentence: 'Raise the price to 9.01.', mutation: 'updateLineItem', impressions: 301 });
  expect(change?.variables).toEqual({ id: '2', version: 1, input: { price: '9.01' } });
  expect(german).toMatchObject({ code: 'targeting.country', inReach: 0 });
  expect(full).toMatchObject({ code: 'capped.line_item.impressions_lifetime' });
  expect(full?.sentence).toContain('is reached (5 of 5)');
  expect(paused).toMatchObject({ code: 'paused.line_item' });
  expect(unheard).toMatchObject({ code: 'unknown', opportunities: 0 });
  expect((await insight.diagnose(2, ['1']))[0], 'of another workspace').toMatchObject({
    code: 'unknown',
    opportunities: 0,
  });
});

test('a cause that began within the hour is not hidden by what was won before the change', async () => {
  for (const table of ['line_items', 'campaigns', 'advertisers', 'creatives'] as const)
    await database.db
      .updateTable(table)
      .set({ updated_at: new Date(0) } as never)
      .execute();
  const reasons = newReasons(analytics.olap);
  expect(decideMany(reasons, 20)).toBe(20);
  nowMs += 60_500;
  await database.db
    .updateTable('line_items')
    .set({ updated_at: new Date(nowMs) } as never)
    .where('id', '=', 1n)
    .execute();
  changes.add(['1'], nowMs);
  nowMs += 1_000;
  const opportunity = sampleOpportunity({ slots: [sampleSlot({ floorMicros: 20_000_000 })] });
  expect(reasons.shouldExplain(1, nowMs, 6)).toBe(true);
  const context = { state: stateOf({}), nowMs, random: () => 0, explain: true };
  reasons.record(1, decide(compiled, opportunity, context), { nowMs, tookMs: 4, changes });
  await reasons.flush();
  const [changed, unchanged] = await insight.diagnose(1, ['1', '2']);
  expect(changed).toMatchObject({ code: 'floor.request', opportunities: 1 });
  expect(changed?.byHour.map(({ hour }) => hour.toISOString())).toEqual(['2026-11-20T10:00:00.000Z']);
  expect(unchanged?.opportunities, 'one that did not change is explained by the whole day').toBeGreaterThan(20);
});

test('in a large network the first requests after a start do not wait for an explanation, and a later one represents them', () => {
  const reasons = newReasons(analytics.olap);
  const asked = (afterMs: number, lineItems: number): boolean => reasons.shouldExplain(7, nowMs + afterMs, lineItems);
  expect([asked(0, 4_000), asked(9_999, 4_000), asked(10_000, 4_000)]).toEqual([false, false, true]);
  const largest = newReasons(analytics.olap);
  expect(largest.shouldExplain(7, nowMs, 1_000_000)).toBe(false);
  expect(largest.shouldExplain(7, nowMs + 60_000, 1_000_000), 'at most a minute later').toBe(true);
});

test('recording an explained decision counts as a part of the time that explaining may take', () => {
  let usedMs = 0;
  const cpuMs = (): number => (usedMs += 4);
  const reasons = new DecisionReasons({ olap: analytics.olap, nowMs: () => nowMs, log: silentLog, cpuMs });
  // Each takes 4 ms to explain and 4 to record, and a second is saved.
  expect(decideMany(reasons, 300)).toBe(126);
});

test('requests are served while many sums are sent, and sums of meanwhile are sent by the next call', async () => {
  const bodies: string[] = [];
  const olap = { insertRaw: async ({ body }: { body: Buffer }) => void bodies.push(body.toString()) };
  const reasons = newReasons(olap);
  const sums = 50_000;
  for (let number = 0; number < sums; number += 1) reasons.recordAll(1, `test.${number}`, nowMs);
  let turns = 0;
  const turn = (): void => void (turns += 1);
  const timer = setInterval(turn, 1);
  const first = reasons.flush();
  await new Promise(setImmediate);
  reasons.recordAll(1, 'test.later', nowMs);
  await Promise.all([first, reasons.flush()]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
  const tests = bodies.map((body) =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { reason: string }).reason),
  );
  expect(tests.map((one) => one.length).toSorted((one, other) => one - other)).toEqual([1, sums]);
  expect(new Set(tests.flat()).size).toBe(sums + 1);
});

test('while the store does not respond, one flush waits for it, and a stop waits for no more than its own', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    let hangs = true;
    let inserts = 0;
    const insertRaw = (): Promise<void> => {
      inserts += 1;
      return hangs ? new Promise(() => {}) : Promise.resolve();
    };
    const reasons = newReasons({ insertRaw });
    reasons.start();
    for (let turn = 0; turn < 5; turn += 1) {
      reasons.recordAll(1, 'test', nowMs);
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(inserts).toBe(1);
    hangs = false;
    await reasons.stop();
    expect(inserts).toBe(2);
  } finally {
    vi.useRealTimers();
  }
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
  const reasons = newReasons(olap);
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
  expect(explained.slots[0]?.winner).toMatchObject({
    lineItemId: '1',
    name: 'Dear',
    bidMicros: 9_000_000,
    goalBidMicros: null,
  });
  const reasons = Object.fromEntries(explained.slots[0]?.losers.map((one) => [one.lineItemId, one.reason]) ?? []);
  expect(reasons).toEqual({ 2: 'lost.price', 3: 'targeting.country', 4: 'capped.line_item', 5: 'paused.line_item' });
  const one = await insight.explain(1, bidRequest, { atMs: nowMs, lineItemId: '4' });
  expect(one.slots[0]?.losers).toEqual([
    {
      lineItemId: '4',
      name: 'Line item 4',
      reason: 'capped.line_item',
      sentence: 'It did not serve, because a cap is reached.',
      texts: [
        { code: 'did_not_serve', values: [] },
        { code: 'because_capped', values: [] },
      ],
      goalBidMicros: null,
    },
  ]);
});

type Changed = readonly [table: 'line_items' | 'campaigns' | 'advertisers' | 'creatives', values: object];

test.each<[string, readonly Changed[]]>([
  ...(['DRAFT', 'RESERVED', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const).flatMap((status): [string, Changed[]][] => [
    [status.toLowerCase() + '.line_item', [['line_items', { status }]]],
    [status.toLowerCase() + '.campaign', [['campaigns', { status }]]],
  ]),
  ['archived.advertiser', [['advertisers', { status: 'ARCHIVED' }]]],
  ['creative.pending', [['creatives', { review_state: 'PENDING' }]]],
  ['creative.rejected', [['creatives', { review_state: 'REJECTED' }]]],
  ['creative.paused', [['creatives', { status: 'PAUSED' }]]],
  ['creative.archived', [['creatives', { status: 'ARCHIVED' }]]],
  ['creative.not_started', [['creatives', { starts_at: new Date('2027-01-01') }]]],
  ['creative.ended', [['creatives', { ends_at: new Date('2026-01-01') }]]],
  ['not_in_flight.line_item_not_started', [['line_items', { starts_at: new Date('2027-01-01') }]]],
  ['not_in_flight.line_item_ended', [['line_items', { ends_at: new Date('2026-01-01') }]]],
  ['not_in_flight.campaign_not_started', [['campaigns', { starts_at: new Date('2027-01-01') }]]],
  ['not_in_flight.campaign_ended', [['campaigns', { ends_at: new Date('2026-01-01') }]]],
])('an explained decision and the diagnosis name the same state of the bookings: %s', async (code, changed) => {
  const rollback = new Error('done');
  const checked = database.db.transaction().execute(async (trx) => {
    const ours = [5n, 6n];
    await trx.updateTable('line_items').set({ status: 'ACTIVE' }).where('id', 'in', ours).execute();
    for (const [table, values] of changed) {
      const update = trx.updateTable(table as 'line_items').set(values as never);
      if (table === 'line_items') await update.where('id', 'in', ours).execute();
      else await update.execute();
    }
    const within = newInsight(trx);
    for (const id of ['5', '6']) {
      const [diagnosis] = await within.diagnose(1, [id]);
      const { slots } = await within.explain(1, bidRequest, { atMs: nowMs, lineItemId: id });
      expect(diagnosis?.code).toBe(code);
      expect(slots[0]?.losers.map(({ lineItemId, reason }) => [lineItemId, reason])).toEqual([[id, code]]);
    }
    throw rollback;
  });
  await expect(checked).rejects.toBe(rollback);
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

test('availability is found from the bookings, and not for a caller who has left', async () => {
  const question = { adUnitIds: [], siteIds: [], countries: [], deviceTypes: [], days: 92 };
  expect((await insight.availability(1, question)).days).toHaveLength(92);
  const left = new Error('The caller left');
  await expect(insight.availability(1, question, AbortSignal.abort(left))).rejects.toBe(left);
});
