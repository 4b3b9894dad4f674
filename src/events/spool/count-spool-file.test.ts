import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { createAdEvents } from '../tracking/ad-events.ts';
import type { AdEvents } from '../tracking/ad-events.ts';
import { DEAD_LETTERS_FOLDER, openDeadLetters } from './dead-letters.ts';
import { createEventMetrics } from '../recording/event-metrics.ts';
import { createTestCatalog, makeServedAd } from '../fixtures/catalog.ts';
import { createRecorder } from '../recording/recorder.ts';
import { countSpoolFile } from './count-spool-file.ts';
import type { CountingResult } from './count-spool-file.ts';
import { listSpoolFiles } from './spool-files.ts';
import { openSpool } from './spool.ts';
import { openUncountedMarks } from './uncounted-marks.ts';
import type { Spool } from './spool.ts';

const DAY_MS = 86_400_000;
const COUNTER = 'd/1/li/21/imp/all';
const NOTHING: CountingResult = { duplicates: 0, unreadable: 0, uncountable: 0 };

let folder: ReturnType<typeof createTestFolder>;
let nowMs: number;
let hot: HotStore;
let spool: Spool;

beforeEach(() => {
  folder = createTestFolder();
  nowMs = Date.now();
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => nowMs, log: silentLog });
  spool = openSpool({
    dir: join(folder.dir, 'w0'),
    workerIndex: 0,
    nowMs: () => nowMs,
    log: silentLog,
    sealAfterMs: 60_000,
  });
});
afterEach(async () => {
  await spool.close();
  await hot.close();
  folder.remove();
});

/** @param claims the hot store of the request path */
function eventsOf(claims: HotStore = hot): AdEvents {
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
  const uncounted = openUncountedMarks({ spoolDir: folder.dir, workerIndexes: [0], hot: claims, log: silentLog });
  const recorder = createRecorder({ spool, hot: claims, log: silentLog, metrics, uncounted });
  return createAdEvents({ recorder, hot, catalog: createTestCatalog(), nowMs: () => nowMs, log: silentLog });
}

/** A store with another way to count lines on arrival. */
function counting(countLines: HotStore['countLines']): HotStore {
  return new Proxy(hot, {
    get: (target, name) => {
      if (name === 'countLines') return countLines;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function countFile(): Promise<CountingResult> {
  const [file] = listSpoolFiles(join(folder.dir, 'w0')).filter(({ state }) => state === 'sealed');
  if (file === undefined) throw new Error('Nothing is sealed');
  return countSpoolFile(file, hot, openDeadLetters(join(folder.dir, DEAD_LETTERS_FOLDER), silentLog));
}

/** Rows that the counted files hold. */
function keptRows(): number {
  return listSpoolFiles(join(folder.dir, 'w0'))
    .filter(({ state }) => state === 'settled')
    .reduce((sum, { path }) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0);
}

async function counted(): Promise<number> {
  return Number((await hot.readCounters([COUNTER]))[0]);
}

describe('a spool file that is counted after its claims have expired', () => {
  test('its lines are not counted again, and its rows stay', async () => {
    const events = eventsOf();
    for (let ad = 0; ad < 3; ad += 1) await events.impression(makeServedAd(nowMs), '');
    await spool.seal();
    nowMs += 3 * DAY_MS;
    expect([await countFile(), keptRows()]).toEqual([NOTHING, 3]);
    expect(await counted()).toBe(3);
  });

  test('its lines are counted when the store was unavailable for the request path', async () => {
    const down = counting(() => Promise.reject(new Error('unavailable')));
    await eventsOf(down).impression(makeServedAd(nowMs), '');
    await spool.seal();
    nowMs += 3 * DAY_MS;
    expect([await countFile(), keptRows()]).toEqual([NOTHING, 1]);
    expect(await counted()).toBe(1);
  });

  test('repeats are still distinguished from first lines', async () => {
    const ad = makeServedAd(nowMs);
    const events = eventsOf();
    await events.impression(ad, '');
    await events.impression(ad, '');
    await spool.seal();
    nowMs += 3 * DAY_MS;
    expect([await countFile(), keptRows()]).toEqual([{ ...NOTHING, duplicates: 1 }, 1]);
    expect(await counted()).toBe(1);
  });
});

describe('a line that becomes a dead letter', () => {
  test('the letter names no user in its row or in its counters', async () => {
    const userHash = 'abcdef0123456789';
    await eventsOf(counting(() => Promise.reject(new Error('unavailable')))).impression(
      makeServedAd(nowMs, { userHash }),
      '',
    );
    await spool.seal();
    const [file] = listSpoolFiles(join(folder.dir, 'w0'));
    if (file === undefined) throw new Error('Nothing is sealed');
    const line = readFileSync(file.path, 'utf8');
    expect(line).toContain(`/${userHash}/`);
    expect(line).toContain(BigInt(`0x${userHash}`).toString());
    writeFileSync(file.path, line.replace(',"impression",', ',"Impression",'));
    expect([await countFile(), keptRows()]).toEqual([{ ...NOTHING, unreadable: 1 }, 0]);
    const [name = ''] = readdirSync(join(folder.dir, DEAD_LETTERS_FOLDER));
    const kept = readFileSync(join(folder.dir, DEAD_LETTERS_FOLDER, name), 'utf8');
    expect(kept).toContain(String.raw`\"Impression\"`);
    expect(kept).not.toContain(userHash);
    expect(kept).not.toContain(BigInt(`0x${userHash}`).toString());
  });
});

describe('an event that the shipper counts before the request path does', () => {
  test('the event is the first of its id', async () => {
    const slow = counting(async (batch) => {
      await spool.seal();
      await countFile();
      return hot.countLines(batch);
    });
    const metrics = { countRecorded: () => {}, countHotFailure: () => {} } as never;
    const uncounted = openUncountedMarks({ spoolDir: folder.dir, workerIndexes: [0], hot: slow, log: silentLog });
    const recorder = createRecorder({ spool, hot: slow, log: silentLog, metrics, uncounted });
    const claim = { key: 'e/x', ttlMs: DAY_MS, increments: [], pushes: [] };
    expect(await recorder.record({ event_id: 'x' } as never, claim)).toEqual({ first: true });
    expect(await recorder.record({ event_id: 'x' } as never, claim)).toEqual({ first: false });
  });
});
