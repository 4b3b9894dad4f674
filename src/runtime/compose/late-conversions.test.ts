import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../../test/support/stores.ts';
import { changeLineItem, seedLineItem, seedNetwork } from '../../../test/worlds/seed.sql.ts';
import { CompiledNetworks, createCatalog } from '../../delivery/snapshot/compiled-networks.ts';
import { compileWorkspace } from '../../delivery/decision/index/compile-workspace.ts';
import { readSnapshots } from '../../delivery/snapshot/snapshot.sql.ts';
import { DELIVERY_STATUSES } from '../../domain/booking/line-item.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { parseActivityInput } from '../../events/activities/activity-input.ts';
import { recordActivity } from '../../events/activities/activity-recorder.ts';
import { createAdEvents } from '../../events/tracking/ad-events.ts';
import { createEventMetrics } from '../../events/recording/event-metrics.ts';
import { makeServedAd, userHashSecret, workspace } from '../../events/fixtures/catalog.ts';
import { fullDisk } from '../../events/fixtures/full-disk.ts';
import { createRecorder } from '../../events/recording/recorder.ts';
import type { EventRecorder } from '../../events/recording/recorder.ts';
import { openSpool } from '../../events/spool/spool.ts';
import type { Spool } from '../../events/spool/spool.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { openUncountedMarks } from '../../events/spool/uncounted-marks.ts';

const DAY_MS = 86_400_000;
const stoppedMs = Date.parse('2026-07-01T10:00:00Z');
const content = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' };
const CPA = {
  pricingModel: 'CPA',
  priceMicros: 3_000_000,
  lineItemId: '21',
  campaignId: '1',
  advertiserId: '1',
} as const;

let database: TestDatabase;
let folder: ReturnType<typeof createTestFolder>;
let hot: HotStore;
let spool: Spool;
let recorder: EventRecorder;
let nowMs: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await seedNetwork(db);
  for (const id of [21n, 22n]) await seedLineItem(db, { id, cpm: 1n, content });
  await changeLineItem(db, 21n, { pricingModel: 'CPA', caps: { spendMicrosLifetime: 3_000_000 } });
  const windows = { click_window_seconds: 90 * 86_400, view_window_seconds: 86_400, repeat_interval_seconds: 0 };
  await db
    .insertInto('activities')
    .values({
      workspace_id: 1,
      id: 41n,
      actgid: 'buy',
      name: 'Bought',
      status: 'ACTIVE',
      advertiser_id: null,
      ...windows,
    })
    .execute();
  const stopped = { status: 'ARCHIVED', updated_at: new Date(stoppedMs) } as const;
  await db.updateTable('line_items').set(stopped).execute();
  await db.updateTable('campaigns').set(stopped).execute();
  await db
    .updateTable('creatives')
    .set({ updated_at: new Date(stoppedMs) })
    .execute();
});
afterAll(() => database?.close());

beforeEach(() => {
  nowMs = stoppedMs;
  folder = createTestFolder();
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => nowMs, log: silentLog });
  spool = openSpool({
    dir: join(folder.dir, 'w0'),
    workerIndex: 0,
    nowMs: () => nowMs,
    log: silentLog,
    sealAfterMs: 60_000,
  });
  const nothing = { backlog: () => ({ segments: 0, bytes: 0 }), shipperStats: () => ({}), spoolStats: () => ({}) };
  const metrics = createEventMetrics(new Registry(), nothing as unknown as Parameters<typeof createEventMetrics>[1]);
  const uncounted = openUncountedMarks({ spoolDir: folder.dir, workerIndexes: [0], hot: hot, log: silentLog });
  recorder = createRecorder({ spool, hot, log: silentLog, metrics, uncounted });
});
afterEach(async () => {
  await spool.close();
  await hot.close();
  folder.remove();
});

/** The snapshot of a worker that reads it now. */
async function readCatalog(): Promise<Catalog> {
  const snapshots = await readSnapshots(database.db, nowMs);
  const compiled = snapshots.map((snapshot) =>
    compileWorkspace(snapshot, nowMs, (_id, error) => {
      throw error;
    }),
  );
  return createCatalog(() => new CompiledNetworks(compiled));
}

const depsOf = (catalog: Catalog) => ({
  recorder,
  hot,
  catalog,
  nowMs: () => nowMs,
  log: silentLog,
  userHashSecret,
  uncredited: fullDisk,
});

/** A click so long after the decision, which was the line item's last. @returns the click's id */
async function clickAfter(days: number): Promise<string> {
  nowMs = stoppedMs + days * DAY_MS;
  const ad = makeServedAd(stoppedMs, CPA);
  await createAdEvents(depsOf(await readCatalog())).click(ad, '');
  return ad.impressionId;
}

async function convert(clickId: string, ord: string): Promise<void> {
  const body = { network: '1000', actgid: 'buy', event: 'purchased', clickId, ord };
  await recordActivity(depsOf(await readCatalog()), workspace, parseActivityInput(body, nowMs), '');
}

async function countOf(what: 'conv' | 'spend'): Promise<bigint> {
  return (await hot.readCounters([`d/1/li/21/${what}/all`]))[0] ?? 0n;
}

test('the last conversion of the last click of a stopped line item earns its price within its budget', async () => {
  const clickId = await clickAfter(29.9);
  await spool.seal();
  nowMs += 89.9 * DAY_MS;
  await convert(clickId, 'A-1');
  expect(await countOf('spend')).toBe(3_000_000_000n);
  // Its budget is used up by that.
  await convert(clickId, 'A-2');
  expect([await countOf('conv'), await countOf('spend')]).toEqual([2n, 3_000_000_000n]);
});

test.each(DELIVERY_STATUSES.filter((status) => status !== 'ACTIVE'))(
  'a click on an ad whose line item and campaign became %s earns its price',
  async (status) => {
    for (const table of ['line_items', 'campaigns'] as const)
      await database.db.updateTable(table).set({ status }).execute();
    nowMs = stoppedMs + 29 * DAY_MS;
    const catalog = await readCatalog();
    const ad = makeServedAd(stoppedMs, { ...CPA, pricingModel: 'CPC', lineItemId: '22' });
    await createAdEvents(depsOf(catalog)).click(ad, '');
    expect(await hot.readCounters(['d/1/li/22/spend/all'])).toEqual([3_000_000_000n]);
    expect(catalog.findCreative(1, '2200')?.status).toBe('ACTIVE');
  },
);

test('delivery drops CPM line items after a month, and all others after four', async () => {
  const known = async (days: number) => {
    nowMs = stoppedMs + days * DAY_MS;
    const catalog = await readCatalog();
    const lineItems = ['21', '22'].filter((id) => catalog.findLineItem(1, id) !== undefined);
    const creatives = ['2100', '2200'].filter((id) => catalog.findCreative(1, id) !== undefined);
    return { lineItems, creatives, campaign: catalog.findCampaign(1, '1') !== undefined };
  };
  expect(await known(30)).toEqual({ lineItems: ['21', '22'], creatives: ['2100', '2200'], campaign: true });
  expect(await known(32)).toEqual({ lineItems: ['21'], creatives: [], campaign: true });
  expect(await known(120.9)).toEqual({ lineItems: ['21'], creatives: [], campaign: true });
  expect(await known(122)).toEqual({ lineItems: [], creatives: [], campaign: false });
});

test('a stopped line item that names activities stays as long as conversions may be credited to it, with the names', async () => {
  const countedActivities = [{ activityId: '41', events: ['paid'] }];
  const names = { counted_activities: JSON.stringify(countedActivities) };
  await database.db.updateTable('line_items').set(names).where('id', '=', 22n).execute();
  nowMs = stoppedMs + 120.9 * DAY_MS;
  expect((await readCatalog()).findLineItem(1, '22')?.countedActivities).toEqual(countedActivities);
  nowMs = stoppedMs + 122 * DAY_MS;
  expect((await readCatalog()).findLineItem(1, '22')).toBeUndefined();
});
