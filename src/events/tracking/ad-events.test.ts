import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import type { EventRow } from '../../domain/events/event.ts';
import { NO_CAPS } from '../../domain/booking/line-item.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import { hashUser } from '../../domain/ids/user-hash.ts';
import { parseActivityInput } from '../activities/activity-input.ts';
import { recordActivity } from '../activities/activity-recorder.ts';
import type { RecordedActivity } from '../activities/credit-event.ts';
import { createAdEvents } from './ad-events.ts';
import type { AdEvents } from './ad-events.ts';
import { createEventMetrics } from '../recording/event-metrics.ts';
import { createTestCatalog, makeServedAd, userHashSecret, workspace } from '../fixtures/catalog.ts';
import { createRecorder } from '../recording/recorder.ts';
import type { EventRecorder } from '../recording/recorder.ts';
import { decodeSpoolLine } from '../spool/spool-line.ts';
import { fullDisk } from '../fixtures/full-disk.ts';
import { splitLines } from '../fixtures/split-lines.ts';
import { listSpoolFiles } from '../spool/spool-files.ts';
import { createDiskFile } from '../../storage/disk-file.ts';
import { openSpool } from '../spool/spool.ts';
import type { Spool } from '../spool/spool.ts';
import { openUncountedMarks } from '../spool/uncounted-marks.ts';
import { nameColumns } from '../spool/spool-row.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CPC = { pricingModel: 'CPC', priceMicros: 500_000 } as const;
const CPA = { pricingModel: 'CPA', priceMicros: 3_000_000 } as const;
const SPENT = 'd/1/li/21/spend/all';

let folder: ReturnType<typeof createTestFolder>;
let hot: HotStore;
let spool: Spool;
let recorder: EventRecorder;
let nowMs: number;
let isDiskFull: boolean;

beforeEach(() => {
  isDiskFull = false;
  nowMs = Date.parse('2026-11-20T10:00:00Z');
  folder = createTestFolder();
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => nowMs, log: silentLog });
  spool = openSpool({
    dir: join(folder.dir, 'w0'),
    workerIndex: 0,
    nowMs: () => nowMs,
    log: silentLog,
    sealAfterMs: 60_000,
    createFile: (path, dir) => (isDiskFull ? Promise.reject(new Error('ENOSPC')) : createDiskFile(path, dir)),
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

const depsOf = (catalog: Catalog) => ({
  recorder,
  hot,
  catalog,
  nowMs: () => nowMs,
  log: silentLog,
  userHashSecret,
  uncredited: fullDisk,
});
const eventsOf = (catalog: Catalog): AdEvents => createAdEvents(depsOf(catalog));

function convert(catalog: Catalog, change: Readonly<Record<string, unknown>>): Promise<RecordedActivity> {
  const body = { network: '1000', actgid: 'buy', event: 'purchased', ...change };
  return recordActivity(depsOf(catalog), workspace, parseActivityInput(body, nowMs), '');
}

function rows(): EventRow[] {
  return listSpoolFiles(join(folder.dir, 'w0')).flatMap((file) =>
    splitLines(readFileSync(file.path).subarray(0, file.bytes)).flatMap((text) => {
      const line = decodeSpoolLine(text);
      return line === null ? [] : [line.row, ...line.more].map((row) => JSON.parse(nameColumns(row)) as EventRow);
    }),
  );
}

async function count(key: string): Promise<bigint> {
  return (await hot.readCounters([key]))[0] ?? 0n;
}

describe('of a line item that has left the snapshot', () => {
  const forgotten: Catalog = { ...createTestCatalog(), findLineItem: () => undefined };

  test('a click and a conversion are counted and earn nothing, since a budget may be used up', async () => {
    const ad = makeServedAd(nowMs, CPA);
    await eventsOf(forgotten).click(makeServedAd(nowMs, CPC), '');
    await eventsOf(createTestCatalog()).click(ad, '');
    await convert(forgotten, { clickId: ad.impressionId, ord: 'A-1' });
    expect(rows().filter(({ kind }) => kind !== 'touch')).toMatchObject([
      { kind: 'click', revenue_nanos: '0', invalid_reason: '' },
      { kind: 'click', revenue_nanos: '0' },
      { kind: 'activity', attribution: 'click', line_item_id: '21', revenue_nanos: '0' },
    ]);
    expect(await count('d/1/li/21/clk/all')).toBe(2n);
    expect(await count('d/1/li/21/conv/all')).toBe(1n);
    expect(await count(SPENT)).toBe(0n);
  });

  test('an impression earns what its response reserved, and no day of FLAT is recorded', async () => {
    await eventsOf(forgotten).impression(makeServedAd(nowMs), '');
    await eventsOf(forgotten).impression(makeServedAd(nowMs, { pricingModel: 'FLAT' }), '');
    expect(rows().map((row) => [row.kind, row.revenue_nanos])).toEqual([
      ['impression', '12500000'],
      ['impression', '0'],
    ]);
  });
});

describe('when the hot store becomes unavailable after an event is on disk', () => {
  const limited = createTestCatalog({ lineItem: { caps: { ...NO_CAPS, spendMicrosLifetime: 50_000_000 } } });

  /** Accepts reservations and refuses to release them. */
  function refuseReturns(): void {
    const real = hot.addToCounters.bind(hot);
    hot.addToCounters = (increments) =>
      increments.some(({ by }) => by < 0n) ? Promise.reject(new Error('unavailable')) : real(increments);
  }

  test('two copies of a conversion that arrive together get their responses though the bill of one cannot be released', async () => {
    const ad = makeServedAd(nowMs, CPA);
    await eventsOf(limited).click(ad, '');
    refuseReturns();
    const both = await Promise.all([0, 1].map(() => convert(limited, { clickId: ad.impressionId, ord: 'A-1' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['accepted', 'duplicate']);
    expect(await count(SPENT)).toBe(3_000_000_000n);
  });

  test('two copies of a late viewable impression or click that arrive together are accepted and billed once', async () => {
    refuseReturns();
    const click = makeServedAd(nowMs, CPC);
    const seen = makeServedAd(nowMs - 2 * HOUR_MS, { pricingModel: 'VCPM' });
    const imp = { offset: 0, key: `e/${seen.impressionId}:imp`, ttlMs: HOUR_MS, increments: [], pushes: [] };
    await hot.countLines({ file: '9/file', from: 0, to: 1, lines: [imp] });
    const events = eventsOf(limited);
    await Promise.all([click, click].map((ad) => events.click(ad, '')));
    await Promise.all([seen, seen].map((ad) => events.viewable(ad, '')));
    expect(await count(SPENT)).toBe(500_000_000n + 12_500_000n);
  });

  test('an impression gets its response even when the day of its FLAT line item cannot be written', async () => {
    const real = recorder.record.bind(recorder);
    let isRefused = true;
    recorder = {
      ...recorder,
      record: (row, claim) =>
        row.kind === 'flat_day' && isRefused ? Promise.reject(new Error('the disk is full')) : real(row, claim),
    };
    const events = eventsOf(createTestCatalog());
    const flat = { pricingModel: 'FLAT', priceMicros: 7_000_000 } as const;
    await events.impression(makeServedAd(nowMs, flat), '');
    expect([await count('d/1/li/21/imp/all'), await count(SPENT)]).toEqual([1n, 0n]);
    isRefused = false;
    await events.impression(makeServedAd(nowMs, flat), '');
    expect([await count('d/1/li/21/imp/all'), await count(SPENT)]).toEqual([2n, 7_000_000_000n]);
  });
});

describe('the touches on the way to a conversion', () => {
  const userHash = hashUser(userHashSecret, 1, 'lu', 'user-1');
  const seen = (change: Partial<ServedAd> = {}): ServedAd => makeServedAd(nowMs, { userHash, ...change });
  const stored = (): string[] =>
    rows()
      .filter(({ kind }) => kind === 'touch' || kind === 'activity')
      .map((row) => `${row.kind} ${row.attribution} ${row.line_item_id}`.trimEnd());

  test('a conversion has its touches on disk with it, each with the ad that was touched', async () => {
    const catalog = createTestCatalog();
    const events = eventsOf(catalog);
    await events.impression(seen({ lineItemId: '20' }), '');
    nowMs += 1_000;
    const clicked = seen();
    await events.impression(clicked, '');
    await events.click(clicked, '');
    nowMs += 1_000;
    await events.impression(seen({ lineItemId: '22' }), '');
    await convert(catalog, { lu: 'user-1', ord: 'A-1' });
    expect(stored()).toEqual(['activity click 21', 'touch first 20', 'touch middle 21', 'touch last 22']);
  });

  test('a conversion that is sent again, or is not credited, has no further touches', async () => {
    const catalog = createTestCatalog();
    await eventsOf(catalog).impression(seen(), '');
    await convert(catalog, { lu: 'user-1', ord: 'A-1' });
    await convert(catalog, { lu: 'user-1', ord: 'A-1' });
    await convert(catalog, { lu: 'user-2', ord: 'A-2' });
    expect(stored()).toEqual(['activity view 21', 'touch only 21', 'activity']);
  });

  test('a network that credits viewable impressions alone keeps no other impression as a touch', async () => {
    const catalog = createTestCatalog({ workspace: { impressionTouches: 'VIEWABLE_IMPRESSIONS' } });
    const [viewed, unseen] = [seen({ lineItemId: '20' }), seen({ lineItemId: '22' })];
    for (const ad of [viewed, unseen]) await eventsOf(catalog).impression(ad, '');
    await convert(catalog, { lu: 'user-1', ord: 'A-1' });
    await eventsOf(catalog).viewable(viewed, '');
    await convert(catalog, { lu: 'user-1', ord: 'A-2' });
    expect(stored()).toEqual(['activity', 'activity view 20', 'touch only 20']);
  });
});

describe('events that the disk refuses', () => {
  const REFUSED = { code: 'unavailable' };
  /** Money for exactly one event. */
  const paysOnce = (micros: number): Catalog => createTestCatalog({ advertiser: { creditMicros: micros } });

  test('a refused click releases its part of a budget, and the next one on disk earns it', async () => {
    const events = eventsOf(paysOnce(CPC.priceMicros));
    isDiskFull = true;
    for (let times = 0; times < 3; times += 1)
      await expect(events.click(makeServedAd(nowMs, CPC), '')).rejects.toMatchObject(REFUSED);
    isDiskFull = false;
    await events.click(makeServedAd(nowMs, CPC), '');
    expect(await count(SPENT)).toBe(500_000_000n);
  });

  test('a refused conversion releases its price and earns it when it is sent again', async () => {
    const catalog = paysOnce(CPA.priceMicros);
    const ad = makeServedAd(nowMs, CPA);
    await eventsOf(catalog).click(ad, '');
    await spool.seal();
    isDiskFull = true;
    for (let times = 0; times < 3; times += 1)
      await expect(convert(catalog, { clickId: ad.impressionId, ord: 'A-1' })).rejects.toMatchObject(REFUSED);
    isDiskFull = false;
    await convert(catalog, { clickId: ad.impressionId, ord: 'A-1' });
    expect(await count(SPENT)).toBe(3_000_000_000n);
  });

  test('a refused day of FLAT releases its price, and the next impression records the day', async () => {
    const flat = { pricingModel: 'FLAT', priceMicros: 7_000_000 } as const;
    const events = eventsOf(createTestCatalog({ advertiser: { creditMicros: 7_000_000 }, lineItem: flat }));
    const { record } = recorder;
    let fillsUp = true;
    recorder.record = async (row, claim) => {
      if (row.kind === 'flat_day') {
        await spool.seal();
        isDiskFull = fillsUp;
      }
      return record(row, claim);
    };
    await events.impression(makeServedAd(nowMs, flat), '');
    expect(await count(SPENT)).toBe(0n);
    isDiskFull = false;
    fillsUp = false;
    await events.impression(makeServedAd(nowMs, flat), '');
    expect(await count(SPENT)).toBe(7_000_000_000n);
  });
});

test('a repeated order reserves no budget, and another order is billed beside it', async () => {
  const catalog = createTestCatalog({ advertiser: { creditMicros: 2 * CPA.priceMicros } });
  const ad = makeServedAd(nowMs, CPA);
  await eventsOf(catalog).click(ad, '');
  const { eventId } = await convert(catalog, { clickId: ad.impressionId, ord: 'A-1' });
  const { record } = recorder;
  let goOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  recorder = {
    ...recorder,
    record: async (row, claim) => {
      if (row.event_id === eventId) await waiting;
      return record(row, claim);
    },
  };
  const repeats = Array.from({ length: 3 }, () => convert(catalog, { clickId: ad.impressionId, ord: 'A-1' }));
  await convert(catalog, { clickId: ad.impressionId, ord: 'A-2' });
  goOn();
  expect((await Promise.all(repeats)).map(({ status }) => status)).toEqual(Array(3).fill('duplicate'));
  expect(await count(SPENT)).toBe(6_000_000_000n);
});

test('completed views are billed up to the budget, and counted beyond it', async () => {
  const paid = { pricingModel: 'CPCV', priceMicros: 40_000, creativeFormat: 'VIDEO' } as const;
  const events = eventsOf(createTestCatalog({ lineItem: { caps: { ...NO_CAPS, spendMicrosLifetime: 100_000 } } }));
  for (let times = 0; times < 4; times += 1) {
    const ad = makeServedAd(nowMs, paid);
    await events.impression(ad, '');
    await events.video(ad, 'complete', '');
  }
  // 0.10 pays two views of 0.04.
  expect([await count('d/1/li/21/cpl/all'), await count(SPENT)]).toEqual([4n, 80_000_000n]);
});

test('an error of a player is stored with its code and the domain of the third party', async () => {
  const content = { format: 'VIDEO', title: 'V', durationMs: 1_000, mediaFiles: [], skipOffsetMs: null } as const;
  const thirdParty = { content: { ...content, vastTagUrl: 'https://tag.Vendor.example/vast?x=1' } };
  const byVendor = eventsOf(createTestCatalog({ creative: () => thirdParty }));
  const ad = makeServedAd(nowMs);
  await byVendor.video(ad, 'error', '', 303);
  await eventsOf(createTestCatalog()).video(makeServedAd(nowMs), 'error', 'robot', 405);
  await byVendor.video(ad, 'start', '', 303);
  expect(rows()).toMatchObject([
    { kind: 'video_error', item_count: 303, activity_event: 'tag.vendor.example', invalid_reason: '' },
    { kind: 'video_error', item_count: 405, activity_event: '', invalid_reason: 'robot' },
    { kind: 'video_start' },
  ]);
  expect(rows()[2]).not.toHaveProperty('item_count');
});

describe('a limit by day', () => {
  test('the limit binds an activity that is sent a week after the day', async () => {
    const caps = { ...NO_CAPS, spendMicrosPerDay: 5_000_000 };
    const catalog = createTestCatalog({ lineItem: { caps } });
    const ad = makeServedAd(nowMs, CPA);
    await eventsOf(catalog).click(ad, '');
    const clickedMs = nowMs;
    await convert(catalog, { clickId: ad.impressionId, ord: 'A-1', ts: clickedMs + 1_000 });
    nowMs = clickedMs + 7 * DAY_MS;
    await convert(catalog, { clickId: ad.impressionId, ord: 'A-2', ts: clickedMs + 2_000 });
    expect(rows().filter(({ kind }) => kind === 'activity')).toMatchObject([
      { revenue_nanos: '3000000000' },
      { revenue_nanos: '0' },
    ]);
    expect(await count('d/1/li/21/spend/2026-11-20')).toBe(3_000_000_000n);
  });
});
