import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestFolder, createTestOlapDatabase, silentLog } from '../../../test/support/stores.ts';
import type { TestOlapDatabase } from '../../../test/support/stores.ts';
import { dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { frequencyCounterKey } from '../../domain/frequency/frequency-key.ts';
import type { LineItem } from '../../domain/booking/line-item.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import { parseActivityInput } from '../../events/activities/activity-input.ts';
import { recordActivity } from '../../events/activities/activity-recorder.ts';
import { claimOrderBill, orderBillKey } from '../../events/activities/order-bills.ts';
import { createAdEvents } from '../../events/tracking/ad-events.ts';
import type { AdEvents } from '../../events/tracking/ad-events.ts';
import { DEAD_LETTERS_FOLDER, openDeadLetters, readDeadLetters } from '../../events/spool/dead-letters.ts';
import { insertBatchRows, readBatchRows } from '../../events/shipping/batch-rows.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { createEventMetrics } from '../../events/recording/event-metrics.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import {
  createTestCatalog,
  creative,
  lineItem,
  makeServedAd,
  userHashSecret,
  workspace,
} from '../../events/fixtures/catalog.ts';
import { fullDisk } from '../../events/fixtures/full-disk.ts';
import { rebuildHotStore } from '../../events/recovery/hot-rebuild.ts';
import { createRecorder } from '../../events/recording/recorder.ts';
import type { EventRecorder } from '../../events/recording/recorder.ts';
import { createShipper } from '../../events/shipping/shipper.ts';
import { countSpoolFile } from '../../events/spool/count-spool-file.ts';
import { collectBatch } from '../../events/shipping/batch-folders.ts';
import type { ShipBatch } from '../../events/shipping/ship-batch.ts';
import { encodeSpoolLine } from '../../events/spool/spool-line.ts';
import { listSpoolFiles } from '../../events/spool/spool-files.ts';
import { openSpool } from '../../events/spool/spool.ts';
import type { Spool } from '../../events/spool/spool.ts';
import { readCountedSums } from '../../reports/rollups/counted-sums.olap.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { EVENT_COUNTERS } from '../../domain/pricing/pricing-models.ts';
import { HOT_KEY_BYTES_MAX } from '../../storage/hot/hot-store.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { openUncountedMarks } from '../../events/spool/uncounted-marks.ts';

/** What is changed in the present line item. */
let booked: Partial<LineItem> = {};
const cap = { event: 'IMPRESSIONS', count: 9, window: 'DAY', every: 1 } as const;
const labelCaps = [{ label: 'fast cars', frequencyCaps: [cap] }];
const alone = createTestCatalog({ lineItem: () => booked, workspace: { labelCaps } });
/** Creative 32 stands beside creative 31, and line item 22 beside line item 21. */
const catalog: Catalog = {
  ...alone,
  findLineItem: (workspaceId, id) =>
    workspaceId === 1 && id === '22'
      ? { ...lineItem, ...booked, id, frequencyCaps: [] }
      : alone.findLineItem(workspaceId, id),
  findCreative: (workspaceId, id) =>
    workspaceId === 1 && id === '32'
      ? { ...creative, id, masterCreativeId: '31' }
      : alone.findCreative(workspaceId, id),
};
let database: TestOlapDatabase;
let folder: ReturnType<typeof createTestFolder>;
let spool: Spool;
let hot: HotStore;
let events: AdEvents;
let recorder: EventRecorder;
let nowMs: number;

beforeAll(async () => {
  database = await createTestOlapDatabase();
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: database.olap, migrations, log: silentLog });
});
afterAll(() => database.close());
beforeEach(() => {
  folder = createTestFolder();
  nowMs = Date.now();
  booked = {};
  spool = openSpool({ dir: spoolFolder(), workerIndex: 0, nowMs: () => nowMs, log: silentLog, sealAfterMs: 600_000 });
  hot = openHot('hot');
  events = eventsOn(hot);
});
afterEach(async () => {
  await spool.close();
  await hot.close();
  folder.remove();
});

const spoolFolder = (): string => join(folder.dir, 'spool', 'w0');
const openHot = (name: string): HotStore =>
  openLedger({ dir: join(folder.dir, name), nowMs: () => nowMs, log: silentLog });

function eventsOn(store: HotStore): AdEvents {
  const metrics = createEventMetrics(new Registry(), {
    backlog: () => ({ files: 0, bytes: 0, oldestMs: null }),
    uncredited: () => ({ added: 0, oldestMs: null }),
    shipperStats: () => ({ shippedRows: 0, shippedBatches: 0, duplicateRows: 0, rejectedRows: 0, failures: 0 }),
    spoolStats: () => spool.stats(),
    clicksWaiting: () => 0,
    eventsRefused: () => 0,
    deadLetters: openDeadLetters(join(folder.dir, DEAD_LETTERS_FOLDER), silentLog),
    nowMs: () => nowMs,
  });
  const uncounted = openUncountedMarks({
    spoolDir: join(folder.dir, 'spool'),
    workerIndexes: [0],
    hot: store,
    log: silentLog,
  });
  recorder = createRecorder({ spool, hot: store, log: silentLog, metrics, uncounted });
  return createAdEvents({ recorder, hot: store, catalog, nowMs: () => nowMs, log: silentLog });
}

async function ship(): Promise<void> {
  await spool.seal();
  const spoolDir = join(folder.dir, 'spool');
  const shipper = createShipper({
    spoolDir,
    workerIndex: 0,
    workers: 1,
    hot,
    olap: database.olap,
    log: silentLog,
    pollMs: 10,
  });
  shipper.start();
  await shipper.stop(20_000);
}

async function countFiles(store: HotStore): Promise<void> {
  const letters = openDeadLetters(join(folder.dir, DEAD_LETTERS_FOLDER), silentLog);
  for (const file of listSpoolFiles(spoolFolder()))
    if (file.state === 'sealed') await countSpoolFile(file, store, letters);
}

async function loseHot(): Promise<void> {
  const lost = hot;
  hot = openHot('hot-again');
  events = eventsOn(hot);
  await lost.close();
}

const rebuild = (): Promise<void> =>
  rebuildHotStore({
    hot,
    olap: database.olap,
    readSums: readCountedSums(database.olap),
    catalog,
    spoolDir: join(folder.dir, 'spool'),
    nowMs: () => nowMs,
    log: silentLog,
  });

async function readStored(impressionId: string): Promise<string[]> {
  const rows = await database.olap.query<{ text: string }>({
    sql: `SELECT concat(kind, ' ', invalid_reason) AS text FROM events WHERE startsWith(event_id, {id: String}) ORDER BY text`,
    params: { id: impressionId },
  });
  return rows.map(({ text }) => text);
}

/** Impressions of the line item, by the delivery counter and by the event table. */
async function readImpressions(): Promise<{ readonly counters: bigint; readonly rows: bigint }> {
  const key = lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: '21', kind: 'imp' });
  const [counters = 0n] = await hot.readCounters([key]);
  const [stored] = await database.olap.query<{ rows: string }>({
    sql: `SELECT count() AS rows FROM events WHERE kind = 'impression' AND invalid_reason = '' AND creative_id = '31'`,
  });
  return { counters, rows: BigInt(stored?.rows ?? 0) };
}

/** Every counter that the events of this test change. */
async function readCounters(store: HotStore): Promise<Record<string, bigint>> {
  const day = (timezone: string): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(nowMs);
  const subjects = [
    ['li', '21', 'America/New_York'],
    ['ca', '11', 'Europe/Warsaw'],
    ['ad', '7', 'Europe/Warsaw'],
  ] as const;
  const keys = subjects.flatMap(([scope, id, timezone]) =>
    ([...EVENT_COUNTERS, 'spend'] as const).flatMap((kind) => {
      const subject = { workspaceId: 1, scope, id, kind };
      return [lifetimeCounterKey(subject), dayCounterKey(subject, day(timezone))];
    }),
  );
  const [cap] = lineItem.frequencyCaps;
  if (cap === undefined) throw new Error('The line item of the test has a cap');
  for (const userHash of ['00000000000000ff', 'abcdef0123456789'])
    keys.push(frequencyCounterKey({ workspaceId: 1, userHash, scope: 'li', id: '21', cap }));
  const values = await store.readCounters(keys);
  return Object.fromEntries(keys.map((key, at) => [key, values[at] ?? 0n]));
}

test('lost counters, caps and seen ids are rebuilt from event table and spool, and a second rebuild changes nothing', async () => {
  const shown = Array.from({ length: 6 }, (_none, at) =>
    makeServedAd(nowMs, at % 2 === 0 ? { pricingModel: 'CPCV' } : { userHash: 'abcdef0123456789' }),
  );
  for (const ad of shown.slice(0, 4)) await events.impression(ad, '');
  await events.viewable(shown[0] as never, '');
  await events.click(shown[1] as never, '');
  await events.video(shown[2] as never, 'complete', '');
  await events.impression(makeServedAd(nowMs), 'robot');
  await events.impression(makeServedAd(nowMs, { creativeId: '32', companion: true }), '');
  await ship();
  // In the spool: counted, and sealed.
  await events.impression(shown[4] as never, '');
  await spool.seal();
  await countFiles(hot);
  await events.impression(shown[5] as never, '');
  await events.click(shown[5] as never, '');
  await spool.seal();
  const before = await readCounters(hot);
  expect(before['d/1/li/21/imp/all']).toBe(6n);

  await loseHot();
  await rebuild();
  await rebuild();
  await countFiles(hot);
  expect(await readCounters(hot)).toEqual(before);

  // No repeat counts again, wherever its first copy was.
  for (const ad of shown) await events.impression(ad, '');
  await ship();
  expect(await readCounters(hot)).toEqual(before);
  const [stored] = await database.olap.query<{ ids: string; rows: string }>({
    sql: "SELECT uniqExact(event_id) AS ids, count() AS rows FROM events WHERE kind = 'impression' AND invalid_reason = '' AND creative_id = '31'",
  });
  expect(stored).toEqual({ ids: '6', rows: '6' });
});

test.each(['stored', 'in the spool'])(
  'an order whose bill is %s earns no second time after a rebuild',
  async (where) => {
    const ad = makeServedAd(nowMs, { pricingModel: 'CPA', priceMicros: 3_000_000 });
    const ord = `order ${where}`;
    const body = { network: '1000', actgid: 'buy', event: 'paid', ord, clickId: ad.impressionId };
    await events.click(ad, '');
    const deps = { recorder, hot, catalog, userHashSecret, nowMs: () => nowMs, log: silentLog, uncredited: fullDisk };
    await recordActivity(deps, workspace, parseActivityInput(body, nowMs), '');
    await (where === 'stored' ? ship() : spool.seal());
    const order = { workspaceId: 1, advertiserId: ad.advertiserId, ord };
    expect(await claimOrderBill(hot, order, 'a:other')).toBe(false);

    await loseHot();
    expect(await hot.readCounters([orderBillKey(order)])).toEqual([0n]);
    await rebuild();
    await rebuild();
    expect(await hot.readCounters([orderBillKey(order)])).toEqual([1n]);
    expect(await claimOrderBill(hot, order, 'a:other')).toBe(false);
    expect(await claimOrderBill(hot, { ...order, ord: `${ord}, not billed` }, 'a:other')).toBe(true);
  },
);

test.each(['open', 'sealed'])(
  'a viewable impression counts after a rebuild while its impression is in a spool file that is still %s',
  async (state) => {
    const ad = makeServedAd(nowMs);
    await events.impression(ad, '');
    if (state === 'sealed') await spool.seal();
    await loseHot();
    await rebuild();
    await events.viewable(ad, '');
    await ship();
    expect(await readStored(ad.impressionId)).toEqual(['impression ', 'viewable ']);
    const { counters, rows } = await readImpressions();
    expect(counters).toBe(rows);
  },
);

test('a viewable impression of a tab that is opened three hours later counts after a rebuild', async () => {
  const startedMs = nowMs;
  const ad = makeServedAd(nowMs);
  await events.impression(ad, '');
  await ship();
  await loseHot();
  await rebuild();
  nowMs += 3 * 3_600_000;
  await events.viewable(ad, '');
  await ship();
  nowMs = startedMs;
  expect(await readStored(ad.impressionId)).toEqual(['impression ', 'viewable ']);
});

/** A batch of all counted files. */
async function batchFiles(): Promise<ShipBatch> {
  const batch = await collectBatch(join(spoolFolder(), '..'), listSpoolFiles(spoolFolder()), nowMs);
  if (batch === null) throw new Error('There is no batch');
  return batch;
}

test.each([0, 3])(
  'an insert that was cut off before the roll-ups, with events %d hours old, is counted once by a rebuild',
  async (hours) => {
    const startedMs = nowMs;
    nowMs -= hours * 3_600_000;
    const ad = makeServedAd(nowMs);
    await events.impression(ad, '');
    await spool.seal();
    await countFiles(hot);
    nowMs = startedMs;
    const batch = await batchFiles();
    const { rows } = await readBatchRows(batch, openDeadLetters(join(folder.dir, DEAD_LETTERS_FOLDER), silentLog));
    await database.olap.command('DETACH TABLE delivery_quarter_hourly_feed');
    await insertBatchRows(database.olap, rows, batch.token);
    await database.olap.command('ATTACH TABLE delivery_quarter_hourly_feed');
    await loseHot();
    await rebuild();
    await ship();
    expect(await readStored(ad.impressionId)).toEqual(['impression ']);
    const { counters, rows: stored } = await readImpressions();
    expect(counters).toBe(stored);
  },
);

test('a part of a batch with a refused row, cut off before the roll-ups, is counted once by a rebuild', async () => {
  const ad = makeServedAd(nowMs);
  await events.impression(ad, '');
  const bad = { ...EMPTY_EVENT_ROW, event_id: 'bad', workspace_id: 1, quantity: 'many' };
  await spool.append(encodeSpoolLine(bad, { key: 'e/bad', ttlMs: 60_000, increments: [], pushes: [] }));
  await spool.seal();
  await countFiles(hot);
  const batch = await batchFiles();
  const letters = openDeadLetters(join(folder.dir, 'spool', DEAD_LETTERS_FOLDER), silentLog);
  const { rows } = await readBatchRows(batch, letters);
  await database.olap.command('DETACH TABLE delivery_quarter_hourly_feed');
  await insertBatchRows(database.olap, rows.slice(0, 1), `${batch.token}-a`);
  await database.olap.command('ATTACH TABLE delivery_quarter_hourly_feed');
  await loseHot();
  await rebuild();
  await ship();
  expect(await readStored(ad.impressionId)).toEqual(['impression ']);
  const { counters, rows: stored } = await readImpressions();
  expect(counters).toBe(stored);
  expect(readDeadLetters(join(folder.dir, 'spool', DEAD_LETTERS_FOLDER))).toMatchObject([{ reason: 'refused' }]);
});

test('a line outside the bounds of counters does not prevent the rebuild', async () => {
  await spool.append(
    encodeSpoolLine(
      { event_id: 'x' },
      { key: 'k'.repeat(HOT_KEY_BYTES_MAX + 1), ttlMs: 1, increments: [], pushes: [] },
    ),
  );
  await loseHot();
  await rebuild();
});

/** Impressions and completed views by which line item 21 rotates creative 33. */
async function readCompletion(store: HotStore): Promise<readonly bigint[]> {
  return store.readCounters(['d/1/cr/33.cpl/imp/all', 'd/1/cr/33.cpl/cpl/all']);
}

test('lost counters of the event that an optimised line item maximises are rebuilt from event table and spool', async () => {
  booked = { creativeRotation: 'OPTIMISED', optimisationGoal: 'COMPLETED_VIEWS' };
  const shown = Array.from({ length: 3 }, () => makeServedAd(nowMs, { creativeId: '33' }));
  const play = async (ad: ServedAd): Promise<void> => {
    await events.impression(ad, '');
    await events.click(ad, '');
    await events.video(ad, 'complete', '');
  };
  for (const ad of shown.slice(0, 2)) await play(ad);
  await ship();
  await play(shown[2] as ServedAd);
  await spool.seal();
  await countFiles(hot);
  expect(await readCompletion(hot)).toEqual([3n, 3n]);

  await loseHot();
  await rebuild();
  await rebuild();
  expect(await readCompletion(hot)).toEqual([3n, 3n]);
  for (const ad of shown) await play(ad);
  await ship();
  expect(await readCompletion(hot)).toEqual([3n, 3n]);
});

test('counters of a capped label are rebuilt from all line items that bear it', async () => {
  booked = { labels: ['fast cars'] };
  const users = { many: '00000000000000aa', one: '00000000000000bb' };
  const show = (userHash: string, lineItemId: string) =>
    events.impression(makeServedAd(nowMs, { userHash, lineItemId }), '');
  for (const id of ['21', '22', '22']) await show(users.many, id);
  await events.impression(
    makeServedAd(nowMs, { userHash: users.many, lineItemId: '22', creativeId: '32', companion: true }),
    '',
  );
  await ship();
  // In the spool.
  await show(users.one, '22');
  await show(users.many, '21');
  await spool.seal();
  await countFiles(hot);
  const keys = Object.values(users).map((userHash) =>
    frequencyCounterKey({ workspaceId: 1, userHash, scope: 'la', id: 'fast%20cars', cap }),
  );
  expect(await hot.readCounters(keys)).toEqual([4n, 1n]);

  await loseHot();
  await rebuild();
  await rebuild();
  expect(await hot.readCounters(keys)).toEqual([4n, 1n]);
});
