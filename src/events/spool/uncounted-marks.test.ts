import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import type { Log } from '../../domain/log/log.ts';
import type { EventRow } from '../../domain/events/event.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { parseActivityInput } from '../activities/activity-input.ts';
import { createActivityInspector } from '../activities/activity-inspector.ts';
import { recordActivity } from '../activities/activity-recorder.ts';
import { createAdEvents } from '../tracking/ad-events.ts';
import { DEAD_LETTERS_FOLDER, openDeadLetters } from './dead-letters.ts';
import { createEventMetrics } from '../recording/event-metrics.ts';
import { createTestCatalog, makeServedAd, workspace } from '../fixtures/catalog.ts';
import { fullDisk } from '../fixtures/full-disk.ts';
import { createRecorder } from '../recording/recorder.ts';
import { countSpoolFile } from './count-spool-file.ts';
import { readEntries, rowsOf as rowsOfLine } from './spool-line.ts';
import { listSpoolFiles } from './spool-files.ts';
import { nameColumns } from './spool-row.ts';
import { openSpool } from './spool.ts';
import type { Spool } from './spool.ts';
import { hasUncountedMarks, openUncountedMarks } from './uncounted-marks.ts';
import type { UncountedMarks } from './uncounted-marks.ts';

const MARKS = 'uncounted';
const unavailable = (): Promise<never> => Promise.reject(new Error('unavailable'));

let folder: ReturnType<typeof createTestFolder>;
let hot: HotStore;
let nowMs: number;
/** Two workers of one machine, each with its own connection to the hot store. */
let first: Worker;
let second: Worker;

interface Worker {
  readonly spool: Spool;
  readonly hot: HotStore;
  readonly marks: UncountedMarks;
  readonly deps: ReturnType<typeof depsOf>;
}

beforeEach(() => {
  nowMs = Date.now();
  folder = createTestFolder();
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => nowMs, log: silentLog });
  first = startWorker(0, folder.dir);
  second = startWorker(1, folder.dir);
});
afterEach(async () => {
  for (const worker of [first, second]) await stopWorker(worker);
  await hot.close();
  folder.remove();
});

function startWorker(workerIndex: number, spoolDir: string): Worker {
  const spool = openSpool({
    dir: join(spoolDir, `w${workerIndex}`),
    workerIndex,
    nowMs: () => nowMs,
    log: silentLog,
    sealAfterMs: 600_000,
  });
  const own = Object.create(hot) as HotStore;
  for (const name of ['get', 'set', 'countLines', 'isCounted', 'readList', 'addToCounters', 'flushed'] as const)
    Object.assign(own, { [name]: (hot[name] as (...all: unknown[]) => unknown).bind(hot) });
  const marks = openUncountedMarks({ spoolDir, workerIndexes: [workerIndex], hot: own, log: silentLog });
  return { spool, hot: own, marks, deps: depsOf(spool, own, marks) };
}

async function stopWorker({ spool, marks }: Worker): Promise<void> {
  marks.stop();
  await spool.close();
}

function depsOf(spool: Spool, own: HotStore, uncounted: UncountedMarks) {
  const nothing = { backlog: () => ({ files: 0, bytes: 0 }), shipperStats: () => ({}), spoolStats: () => ({}) };
  const metrics = createEventMetrics(new Registry(), nothing as unknown as Parameters<typeof createEventMetrics>[1]);
  return {
    recorder: createRecorder({ spool, hot: own, log: silentLog, metrics, uncounted }),
    hot: own,
    catalog: createTestCatalog(),
    userHashSecret: Buffer.alloc(32, 5),
    uncredited: fullDisk,
    nowMs: () => nowMs,
    log: silentLog,
  };
}

/** An acknowledged impression that cannot be counted. */
async function showUncounted(worker: Worker, change: Parameters<typeof makeServedAd>[1] = {}) {
  const ad = makeServedAd(nowMs, change);
  const { countLines } = worker.hot;
  Object.assign(worker.hot, { countLines: unavailable });
  await createAdEvents(worker.deps).impression(ad, '');
  Object.assign(worker.hot, { countLines });
  return ad;
}

/** What the core says of the event, which records none itself. */
function inspect(clickId: string) {
  const hasUncounted = () => hasUncountedMarks({ spoolDir: folder.dir, hot });
  return createActivityInspector({ ...first.deps, hot, hasUncounted }).inspectActivityEvent(
    1,
    '1000',
    eventOf(clickId),
  );
}

function eventOf(clickId: string) {
  return { network: '1000', actgid: 'buy', event: 'purchased', ord: 'A-1', clickId };
}

function convert(worker: Worker, clickId: string) {
  const body = eventOf(clickId);
  return recordActivity(worker.deps, workspace as Workspace, parseActivityInput(body, nowMs), '');
}

async function countAll(worker: Worker, workerIndex: number): Promise<void> {
  await worker.spool.seal();
  const letters = openDeadLetters(join(folder.dir, DEAD_LETTERS_FOLDER), silentLog);
  for (const file of listSpoolFiles(join(folder.dir, `w${workerIndex}`)))
    if (file.state === 'sealed') await countSpoolFile(file, hot, letters);
}

async function rowsOf(worker: Worker, workerIndex: number): Promise<EventRow[]> {
  await worker.spool.seal();
  return listSpoolFiles(join(folder.dir, `w${workerIndex}`)).flatMap(({ path }) =>
    readEntries(readFileSync(path)).map(
      ({ bytes }) => JSON.parse(nameColumns(rowsOfLine(bytes)[0]?.toString('utf8') ?? '')) as EventRow,
    ),
  );
}

describe('events that were acknowledged while the hot store was unavailable', () => {
  test('a viewable impression counts at another worker, both before and after its impression is counted', async () => {
    const ad = await showUncounted(first);
    await createAdEvents(second.deps).viewable(ad, '');
    await countAll(first, 0);
    await createAdEvents(second.deps).viewable(makeServedAd(nowMs, { impressionId: ad.impressionId }), '');
    const rows = await rowsOf(second, 1);
    expect(rows.map(({ kind, invalid_reason: reason }) => `${kind} ${reason}`)).toEqual(['viewable ', 'viewable ']);
  });

  test('a viewable impression without an impression is unmatched once all events are counted', async () => {
    await showUncounted(first);
    await countAll(first, 0);
    await createAdEvents(second.deps).viewable(makeServedAd(nowMs), '');
    expect(await rowsOf(second, 1)).toMatchObject([{ invalid_reason: 'unmatched' }]);
  });

  test('a conversion gets 503 until all events are counted, and is then credited', async () => {
    const ad = makeServedAd(nowMs);
    const { countLines } = first.hot;
    Object.assign(first.hot, { countLines: unavailable });
    await createAdEvents(first.deps).click(ad, '');
    Object.assign(first.hot, { countLines });
    await expect(convert(second, ad.impressionId)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(inspect(ad.impressionId)).rejects.toMatchObject({ code: 'unavailable' });
    await countAll(first, 0);
    expect((await inspect(ad.impressionId)).credit).toMatchObject({ kind: 'CLICK' });
    await convert(second, ad.impressionId);
    // The touch on the way to the conversion has a row of its own.
    const conversions = (await rowsOf(second, 1)).filter(({ kind }) => kind === 'activity');
    expect(conversions).toMatchObject([{ attribution: 'click', impression_id: ad.impressionId }]);
  });

  test('the next process of a killed worker knows the events until they are counted', async () => {
    await showUncounted(first);
    await stopWorker(first);
    first = startWorker(0, folder.dir);
    expect(first.marks.any()).toBe(true);
    await countAll(first, 0);
    expect(first.marks.any()).toBe(false);
  });

  test('another machine knows of the events until they are counted', async () => {
    const elsewhere = createTestFolder();
    const other = startWorker(0, elsewhere.dir);
    try {
      await showUncounted(first);
      expect(other.marks.any()).toBe(false);
      await expect.poll(() => other.marks.anywhere()).toBe(true);
      await countAll(first, 0);
      await expect.poll(() => existsSync(join(folder.dir, MARKS)) && readdirSync(join(folder.dir, MARKS))).toEqual([]);
      nowMs += 3_001;
      await expect.poll(() => other.marks.anywhere()).toBe(false);
    } finally {
      await stopWorker(other);
      elsewhere.remove();
    }
  });
});

test('worker 0 deletes and logs marks of unused worker indexes whose spool folder is gone', async () => {
  mkdirSync(join(folder.dir, MARKS), { recursive: true });
  const marks = ['w1', 'w2', 'w7'].map((worker) => `${worker}.1795332709826-8bffc531b`);
  for (const mark of marks) writeFileSync(join(folder.dir, MARKS, mark), '');
  const waits = join(folder.dir, 'w2');
  mkdirSync(waits);
  writeFileSync(join(waits, '1795332709826-8bffc531b.0.sealed'), '');
  const logged: unknown[] = [];
  const log: Log = { event: (code, fields) => void logged.push([code, fields]) };
  openUncountedMarks({ spoolDir: folder.dir, workerIndexes: [0], orphansFrom: 2, hot, log }).stop();
  expect(readdirSync(join(folder.dir, MARKS)).sort()).toEqual(marks.slice(0, 2));
  expect(logged).toEqual([['event.mark_without_spool', { mark: marks[2] }]]);
});

test('a starting worker deletes only marks of its own worker index whose spool file is gone', () => {
  mkdirSync(join(folder.dir, MARKS), { recursive: true });
  for (const workerIndex of [0, 7])
    writeFileSync(join(folder.dir, MARKS, `w${workerIndex}.1795332709826-8bffc531b`), '');
  openUncountedMarks({ spoolDir: folder.dir, workerIndexes: [0], hot, log: silentLog }).stop();
  expect(readdirSync(join(folder.dir, MARKS))).toEqual(['w7.1795332709826-8bffc531b']);
});
