import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import type { Activity } from '../../domain/booking/inventory.ts';
import { PlacardError } from '../../domain/errors.ts';
import { newUlid, timeOfUlid } from '../../domain/ids/ids.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { createTestCatalog, userHashSecret, workspace } from '../fixtures/catalog.ts';
import { fullDisk } from '../fixtures/full-disk.ts';
import { createEventMetrics } from '../recording/event-metrics.ts';
import { createRecorder, type EventRecorder } from '../recording/recorder.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import { openUncountedMarks } from '../spool/uncounted-marks.ts';
import { findContacts, hashInputUser } from './activity-facts.ts';
import { parseActivityInput } from './activity-input.ts';
import { recordActivity } from './activity-recorder.ts';
import type { RecordedActivity } from './credit-event.ts';
import { repeatKey } from './repeat-interval.ts';

const catalog = createTestCatalog({ activity: { repeatIntervalSeconds: 3_600, advertiserId: '7' } });
const USER = 'a-user-id-of-the-publisher';

let folder: ReturnType<typeof createTestFolder>;
let hot: HotStore;
let spool: Spool;
let onDisk: EventRecorder;
let nowMs: number;
let recorded: string[];
/** What the disk does before it takes an event. */
let disk: () => Promise<void>;

beforeEach(() => {
  folder = createTestFolder();
  // Ids of a process never step back: the test begins after the newest one.
  nowMs = timeOfUlid(newUlid(0)) + 1;
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
  const uncounted = openUncountedMarks({ spoolDir: folder.dir, workerIndexes: [0], hot, log: silentLog });
  onDisk = createRecorder({ spool, hot, log: silentLog, metrics, uncounted });
  recorded = [];
  disk = () => Promise.resolve();
});
afterEach(async () => {
  await spool.close();
  await hot.close();
  folder.remove();
});

function convert(): Promise<RecordedActivity> {
  const recorder: EventRecorder = {
    record: async (row, claim, touches) => {
      await disk();
      const result = await onDisk.record(row, claim, touches);
      if (result.first) recorded.push(row.event_id);
      return result;
    },
    hasUncounted: () => onDisk.hasUncounted(),
    recording: () => onDisk.recording(),
  };
  const clock = { nowMs: () => nowMs, callerWaitMs: 60_000 };
  const deps = { recorder, hot, catalog, userHashSecret, ...clock, log: silentLog, uncredited: fullDisk };
  const input = parseActivityInput({ network: '1000', actgid: 'buy', event: 'purchased', lu: USER }, nowMs);
  return recordActivity(deps, workspace, input, '');
}

/** The next events wait for the disk until they are resolved or rejected. */
function stallDisk() {
  const reached = Promise.withResolvers<void>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  disk = () => {
    reached.resolve();
    return promise;
  };
  return { isReached: reached.promise, resolve, reject };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    return error instanceof PlacardError ? error.code : String(error);
  }
}

function intervalKey(): string {
  const input = parseActivityInput({ network: '1000', actgid: 'buy', event: 'purchased', lu: USER }, nowMs);
  return repeatKey(1, '41', 'purchased', hashInputUser(userHashSecret, 1, input));
}

test('an event beside one that waits for a slow disk is refused, and is its duplicate afterwards', async () => {
  const slow = stallDisk();
  const first = convert();
  await slow.isReached;
  nowMs += 1_000;
  expect(await codeOf(convert())).toBe('unavailable');
  disk = () => Promise.resolve();
  slow.resolve();
  const { eventId, status } = await first;
  expect(status).toBe('accepted');
  expect(await convert()).toEqual({ eventId, status: 'duplicate' });
  expect(recorded).toEqual([eventId]);
});

test('an event that the disk refused leaves its interval open, but not that of an event that came after it', async () => {
  disk = () => Promise.reject(new PlacardError('overloaded'));
  expect(await codeOf(convert())).toBe('overloaded');
  disk = () => Promise.resolve();
  expect((await convert()).status).toBe('accepted');

  nowMs += 3_700_000;
  const slow = stallDisk();
  const late = convert();
  await slow.isReached;
  nowMs += 61_000;
  disk = () => Promise.resolve();
  const heir = await convert();
  expect(heir.status).toBe('accepted');
  slow.reject(new PlacardError('overloaded'));
  expect(await codeOf(late)).toBe('overloaded');
  expect(await convert()).toEqual({ eventId: heir.eventId, status: 'duplicate' });
});

test('one of the events that find an abandoned interval takes it over', async () => {
  const key = intervalKey();
  await hot.set(key, `a:${newUlid(nowMs)}`, 3_600_000);
  nowMs += 59_000;
  expect(await codeOf(convert())).toBe('unavailable');
  nowMs += 2_000;
  const outcomes = await Promise.allSettled([convert(), convert(), convert()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(recorded).toHaveLength(1);
  expect((await convert()).status).toBe('duplicate');
});

test('contacts that cannot be read fail as one error, which somebody handles', async () => {
  const unhandled: unknown[] = [];
  const record = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', record);
  try {
    const known = {
      workspaceId: 1,
      activity: catalog.findActivity(1, 'buy') as Activity,
      input: parseActivityInput({ network: '1000', actgid: 'buy', event: 'purchased', lu: USER }, nowMs),
      userHash: 'hash',
      timeMs: nowMs,
    };
    const broken = { readList: () => Promise.reject(new Error('The connection is closed')) };
    expect(await codeOf(findContacts({ hot: broken, catalog }, known))).toBe('unavailable');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', record);
  }
});
