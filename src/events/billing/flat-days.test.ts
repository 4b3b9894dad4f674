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
import { createEventMetrics } from '../recording/event-metrics.ts';
import { createTestCatalog, makeServedAd } from '../fixtures/catalog.ts';
import { FlatDays } from './flat-days.ts';
import { createRecorder } from '../recording/recorder.ts';
import { eventLineAt } from '../spool/event-lines.ts';
import { decodeSpoolLine } from '../spool/spool-line.ts';
import { splitLines } from '../fixtures/split-lines.ts';
import type { SpoolLine } from '../spool/spool-line.ts';
import { listSpoolFiles } from '../spool/spool-files.ts';
import { openSpool } from '../spool/spool.ts';
import type { Spool } from '../spool/spool.ts';
import { openUncountedMarks } from '../spool/uncounted-marks.ts';
import { nameColumns } from '../spool/spool-row.ts';

/** 03:00 of the 20th in Warsaw, where the network is; 21:00 of the 19th in New York, where the line item's days are. */
const NIGHT_MS = Date.parse('2026-11-20T02:00:00Z');
const HOUR_MS = 3_600_000;
const PRICE = { pricingModel: 'FLAT', priceMicros: 7_000_000 } as const;

let folder: ReturnType<typeof createTestFolder>;
let hot: HotStore;
let spools: Spool[];
let nowMs: number;

beforeEach(() => {
  nowMs = NIGHT_MS;
  folder = createTestFolder();
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => nowMs, log: silentLog });
  spools = [];
});
afterEach(async () => {
  for (const spool of spools) await spool.close();
  await hot.close();
  folder.remove();
});

const spoolDir = (workerIndex: number): string => join(folder.dir, `w${workerIndex}`);

/** A worker that counts; a restart empties its memory. */
function startWorker(workerIndex: number): FlatDays {
  const spool = openSpool({
    dir: spoolDir(workerIndex),
    workerIndex,
    nowMs: () => nowMs,
    log: silentLog,
    sealAfterMs: 60_000,
  });
  spools.push(spool);
  const nothing = { backlog: () => ({ segments: 0, bytes: 0 }), shipperStats: () => ({}), spoolStats: () => ({}) };
  const metrics = createEventMetrics(new Registry(), nothing as unknown as Parameters<typeof createEventMetrics>[1]);
  const uncounted = openUncountedMarks({ spoolDir: folder.dir, workerIndexes: [0], hot: hot, log: silentLog });
  const recorder = createRecorder({ spool, hot, log: silentLog, metrics, uncounted });
  return new FlatDays({ recorder, hot, nowMs: () => nowMs, log: silentLog });
}

function show(worker: FlatDays, catalog: Catalog = createTestCatalog({ lineItem: PRICE }), change = {}): Promise<void> {
  const ad = makeServedAd(nowMs, { ...PRICE, ...change });
  return worker.recordImpression(ad, { catalog, workspaceId: 1 });
}

function linesOf(workerIndex: number): SpoolLine[] {
  return listSpoolFiles(spoolDir(workerIndex)).flatMap((file) =>
    splitLines(readFileSync(file.path).subarray(0, file.bytes)).flatMap((text) => decodeSpoolLine(text) ?? []),
  );
}

/** Rows that count: copies with one claim count once. */
function countedRows(): EventRow[] {
  const rows = new Map<string, EventRow>();
  for (const workerIndex of spools.keys())
    for (const { claim, row } of linesOf(workerIndex))
      if (claim !== null) rows.set(claim.key, JSON.parse(nameColumns(row)) as EventRow);
  return [...rows.values()];
}

async function spentOf(subject: string): Promise<bigint> {
  return (await hot.readCounters([`d/1/${subject}`]))[0] ?? 0n;
}

describe('a day of a FLAT line item', () => {
  test('the day earns its price once, for any number of impressions, workers and restarts', async () => {
    const workers = [startWorker(0), startWorker(1)];
    await Promise.all(Array.from({ length: 20 }, (_none, at) => show(workers[at % 2] as FlatDays)));
    await show(startWorker(2));
    expect(await spentOf('li/21/spend/all')).toBe(7_000_000_000n);
    expect(await spentOf('li/21/spend/2026-11-19')).toBe(7_000_000_000n);
    expect(await spentOf('ca/11/spend/2026-11-20')).toBe(7_000_000_000n);
    expect(await spentOf('ad/7/spend/all')).toBe(7_000_000_000n);
    for (const spool of spools) await spool.close();
    expect(countedRows()).toMatchObject([
      {
        kind: 'flat_day',
        line_item_id: '21',
        campaign_id: '11',
        revenue_nanos: '7000000000',
        site_id: '',
        quantity: 1,
      },
    ]);
  });

  test('the day begins at midnight in the time zone of the line item, and days without an impression earn nothing', async () => {
    const worker = startWorker(0);
    await show(worker);
    nowMs = NIGHT_MS + 2.9 * HOUR_MS;
    await show(worker);
    expect(await spentOf('li/21/spend/all')).toBe(7_000_000_000n);
    nowMs = NIGHT_MS + 3 * HOUR_MS;
    await show(worker);
    nowMs = NIGHT_MS + 75 * HOUR_MS;
    await show(worker);
    expect(await spentOf('li/21/spend/all')).toBe(21_000_000_000n);
  });

  test('an impression after midnight counts for the day of its decision', async () => {
    nowMs = NIGHT_MS + 3 * HOUR_MS + 20_000;
    const worker = startWorker(0);
    await show(worker, undefined, { decidedAtMs: NIGHT_MS + 3 * HOUR_MS - 10_000 });
    await show(worker, undefined, { decidedAtMs: NIGHT_MS });
    expect(await spentOf('li/21/spend/2026-11-19')).toBe(7_000_000_000n);
    expect(await spentOf('li/21/spend/all')).toBe(7_000_000_000n);
    expect(countedRows()).toMatchObject([{ time: '2026-11-20 04:59:50.000' }]);
    await show(worker);
    expect(await spentOf('li/21/spend/2026-11-20')).toBe(7_000_000_000n);
    expect(await spentOf('li/21/spend/all')).toBe(14_000_000_000n);
  });

  test('an ad decided before midnight takes its price from the budget of that day', async () => {
    const caps = { ...NO_CAPS, spendMicrosPerDay: 10_000_000 };
    const catalog = createTestCatalog({ lineItem: { ...PRICE, caps } });
    await hot.addToCounters([{ key: 'd/1/li/21/spend/2026-11-19', by: 5_000_000_000n, ttlMs: 90 * HOUR_MS }]);
    nowMs = NIGHT_MS + 3 * HOUR_MS + 20_000;
    await show(startWorker(0), catalog, { decidedAtMs: NIGHT_MS + 3 * HOUR_MS - 10_000 });
    expect(await spentOf('li/21/spend/all')).toBe(0n);
  });

  test('a day earns nothing when the budget has no headroom for its price', async () => {
    const caps = { ...NO_CAPS, spendMicrosLifetime: 10_000_000 };
    const catalog = createTestCatalog({ lineItem: { ...PRICE, caps } });
    const workers = [startWorker(0), startWorker(1)];
    for (let day = 0; day < 3; day += 1) {
      await Promise.all(workers.map((worker) => show(worker, catalog)));
      nowMs += 24 * HOUR_MS;
    }
    expect(await spentOf('li/21/spend/all')).toBe(7_000_000_000n);
  });

  test('line items with other pricing models earn no day', async () => {
    await show(startWorker(0), createTestCatalog(), { pricingModel: 'CPM' });
    expect(await spentOf('li/21/spend/all')).toBe(0n);
  });

  test('a day whose money is limited waits for the hot store, and the next impression records it', async () => {
    const caps = { ...NO_CAPS, spendMicrosLifetime: 10_000_000 };
    const catalog = createTestCatalog({ lineItem: { ...PRICE, caps } });
    const worker = startWorker(0);
    const real = hot.isCounted.bind(hot);
    hot.isCounted = () => Promise.reject(new Error('unavailable'));
    await show(worker, catalog);
    hot.isCounted = real;
    expect(countedRows()).toEqual([]);
    expect(await spentOf('li/21/spend/all')).toBe(0n);
    await show(worker, catalog);
    expect(await spentOf('li/21/spend/all')).toBe(7_000_000_000n);
  });

  test('a day without money limits is recorded while the hot store is unavailable, and counted once when the store is back', async () => {
    const fail = () => Promise.reject(new Error('unavailable'));
    const real = { isCounted: hot.isCounted.bind(hot), countLines: hot.countLines.bind(hot) };
    Object.assign(hot, { isCounted: fail, countLines: fail });
    for (const worker of [startWorker(0), startWorker(1)])
      for (let times = 0; times < 3; times += 1) await show(worker);
    Object.assign(hot, real);
    expect(await spentOf('li/21/spend/all')).toBe(0n);
    // Each worker writes one line with the same claim, for the shippers to count.
    const lines = [0, 1].flatMap((workerIndex) => linesOf(workerIndex));
    expect(lines.map((line) => line.claim?.key)).toEqual(Array(2).fill('e/flat:1:21:2026-11-19'));
    for (const [at, { claim }] of lines.entries())
      if (claim !== null) await hot.countLines({ file: `${at}/file`, from: 0, to: 1, lines: [eventLineAt(claim, 0)] });
    expect(await spentOf('li/21/spend/all')).toBe(7_000_000_000n);
  });
});
