import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { randomOf } from '../../../test/torture/random.ts';
import { newUlid, timeOfUlid } from '../../domain/ids/ids.ts';
import { hashUser } from '../../domain/ids/user-hash.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { createTestCatalog, makeServedAd, userHashSecret, workspace } from '../fixtures/catalog.ts';
import { createEventMetrics } from '../recording/event-metrics.ts';
import { createRecorder, type EventRecorder } from '../recording/recorder.ts';
import { countSpoolFile } from '../spool/count-spool-file.ts';
import { openDeadLetters, readDeadLetters } from '../spool/dead-letters.ts';
import { listSpoolFiles } from '../spool/spool-files.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import { openUncountedMarks } from '../spool/uncounted-marks.ts';
import { createAdEvents } from '../tracking/ad-events.ts';
import { parseActivityInput } from './activity-input.ts';
import { recordActivity } from './activity-recorder.ts';
import { creditEvent } from './credit-event.ts';
import type { RecordedActivity } from './credit-event.ts';
import { listUncreditedFiles, UncreditedEvents } from './uncredited-events.ts';

const catalog = createTestCatalog({ activity: { repeatIntervalSeconds: 3_600 } });
const CPA = { pricingModel: 'CPA', priceMicros: 3_000_000 } as const;

let folder: ReturnType<typeof createTestFolder>;
let ledger: HotStore;
let spool: Spool;
let recorder: EventRecorder;
let uncredited: UncreditedEvents;
let nowMs: number;
/** Runs before each call of the hot store; one that throws makes the call fail. */
let beforeCall: () => void;
/** The ledger, behind `beforeCall`. */
let hot: HotStore;

const isDown = (): never => {
  throw new Error('The hot store is unavailable');
};

beforeEach(() => {
  folder = createTestFolder();
  nowMs = timeOfUlid(newUlid(0)) + 1;
  beforeCall = () => undefined;
  ledger = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => nowMs, log: silentLog });
  hot = new Proxy(ledger, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        try {
          beforeCall();
        } catch (error) {
          return Promise.reject(error as Error);
        }
        return (member as (...all: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  spool = openSpool({ dir: join(folder.dir, 'w0'), workerIndex: 0, nowMs: () => nowMs, log: silentLog });
  const nothing = { backlog: () => ({ files: 0, bytes: 0 }), shipperStats: () => ({}), spoolStats: () => ({}) };
  const metrics = createEventMetrics(new Registry(), nothing as unknown as Parameters<typeof createEventMetrics>[1]);
  const uncounted = openUncountedMarks({ spoolDir: folder.dir, workerIndexes: [0], hot, log: silentLog });
  recorder = createRecorder({ spool, hot, log: silentLog, metrics, uncounted });
  uncredited = openUncredited();
});
afterEach(async () => {
  await uncredited.stop();
  await spool.close();
  await ledger.close();
  folder.remove();
});

const creditDeps = () => ({ recorder, hot, catalog, nowMs: () => nowMs, log: silentLog });

function openUncredited(credit = creditEvent.bind(null, creditDeps())): UncreditedEvents {
  const deadLetters = openDeadLetters(join(folder.dir, 'dead-letters'), silentLog);
  const at = { spoolDir: folder.dir, workerIndex: 0, workers: 1, deadLetters, nowMs: () => nowMs, log: silentLog };
  return new UncreditedEvents({ ...at, hot, credit });
}

/** A process is killed, and its successor opens its files. */
async function restart(credit?: Parameters<typeof openUncredited>[0]): Promise<void> {
  await uncredited.stop();
  uncredited = openUncredited(credit);
}

async function convert(body: Record<string, unknown>): Promise<RecordedActivity> {
  const input = parseActivityInput({ network: '1000', actgid: 'buy', event: 'purchased', ...body }, nowMs);
  return recordActivity({ ...creditDeps(), uncredited, userHashSecret }, workspace, input, '');
}

async function click(user: string): Promise<string> {
  const ad = makeServedAd(nowMs, { ...CPA, userHash: hashUser(userHashSecret, 1, 'lu', user) });
  await createAdEvents(creditDeps()).click(ad, '');
  return ad.impressionId;
}

const conversions = async (): Promise<bigint> => (await ledger.readCounters(['d/1/li/21/conv/all']))[0] ?? 0n;
const spend = async (): Promise<bigint> => (await ledger.readCounters(['d/1/li/21/spend/all']))[0] ?? 0n;

test('an event of an outage of the hot store is accepted, and credited once when it is over', async () => {
  await click('ann');
  beforeCall = isDown;
  const accepted = await convert({ ord: 'A-1', lu: 'ann' });
  expect(accepted).toMatchObject({ status: 'accepted', eventId: expect.stringMatching(/^a:/) });
  await convert({ ord: 'A-1', lu: 'ann' });
  await restart();
  await expect(uncredited.run()).rejects.toThrow('unavailable');
  expect(uncredited.backlog().files).toBe(1);
  // The click after the conversion is not credited.
  nowMs += 5_000;
  beforeCall = () => undefined;
  await click('ann');
  await uncredited.run();
  expect([await conversions(), await spend()]).toEqual([1n, 3_000_000_000n]);
  expect(listUncreditedFiles(folder.dir)).toEqual([]);
  expect(await convert({ ord: 'A-1', lu: 'ann' })).toEqual({ ...accepted, status: 'duplicate' });
});

test('lines of uncredited events hold no id of the user', async () => {
  beforeCall = isDown;
  await convert({ ord: 'A-1', lu: 'ann-of-the-publisher', aid: 'account-of-ann' });
  await restart();
  const [file] = listUncreditedFiles(folder.dir);
  const text = readFileSync(file?.path ?? '', 'utf8');
  expect(text).toContain('"ord":"A-1"');
  expect(text).not.toMatch(/ann-of-the-publisher|account-of-ann/);
});

test('an event that was credited before its process was killed counts once', async () => {
  await click('ann');
  beforeCall = isDown;
  await convert({ lu: 'ann' });
  beforeCall = () => undefined;
  // The process dies after the event is recorded, before its file is deleted.
  await restart(async (event) => {
    await creditEvent(creditDeps(), event);
    throw new Error('killed');
  });
  await expect(uncredited.run()).rejects.toThrow('killed');
  expect(uncredited.backlog().files).toBe(1);
  await restart();
  await uncredited.run();
  expect(uncredited.backlog().files).toBe(0);
  expect([await conversions(), await spend()]).toEqual([1n, 3_000_000_000n]);
});

test('events of one user within an interval count once, however late each is credited, and an event of another interval counts as well', async () => {
  await click('ann');
  beforeCall = isDown;
  for (const laterMs of [0, 10_000]) {
    nowMs += laterMs;
    await convert({ lu: 'ann' });
  }
  nowMs += 3_700_000;
  beforeCall = () => undefined;
  // It claims the interval of a later time before the others are credited.
  expect((await convert({ lu: 'ann' })).status).toBe('accepted');
  expect(await conversions()).toBe(1n);
  await restart();
  await uncredited.run();
  expect(await conversions()).toBe(2n);
});

test('a damaged line becomes a dead letter, and the others are credited', async () => {
  await click('ann');
  beforeCall = isDown;
  for (const ord of ['A-1', 'A-2', 'A-3']) await convert({ ord, lu: 'ann' });
  beforeCall = () => undefined;
  await restart();
  const path = listUncreditedFiles(folder.dir)[0]?.path ?? '';
  writeFileSync(path, readFileSync(path, 'utf8').replace('"ord":"A-2"', '"ord":"A-9"'));
  await uncredited.run();
  expect(await conversions()).toBe(2n);
  const letters = readDeadLetters(join(folder.dir, 'dead-letters'));
  expect(letters).toMatchObject([{ reason: 'damaged', text: expect.stringContaining('"user_hash":"0"') }]);
  expect(readdirSync(join(folder.dir, 'uncredited', 'w0'))).toEqual([]);
});

/** Counts sealed files, as the shipper does. */
async function countSealed(): Promise<void> {
  await spool.seal();
  const letters = openDeadLetters(join(folder.dir, 'dead-letters'), silentLog);
  const sealed = listSpoolFiles(join(folder.dir, 'w0')).filter(({ state }) => state === 'sealed');
  for (const file of sealed) await countSpoolFile(file, ledger, letters);
}

test.each([1, 2, 3, 4, 5, 6])(
  'each event counts once when any call of the hot store may fail, seed %d',
  async (seed) => {
    const random = randomOf(seed);
    const clickId = await click('ann');
    beforeCall = () => (random() < 0.15 ? isDown() : undefined);
    for (let at = 0; at < 12; at += 1) {
      expect((await convert({ ord: `order-${at}`, clickId })).status).toBe('accepted');
      if (random() < 0.3) await restart();
      await uncredited.run().catch(() => undefined);
      if (random() < 0.3) await countSealed();
    }
    beforeCall = () => undefined;
    await restart();
    const untilCredited = async (): Promise<number> => {
      // An event that held the bill of an order and was not recorded holds it no longer.
      nowMs += 61_000;
      await uncredited.run().catch(() => undefined);
      await countSealed();
      return uncredited.backlog().files;
    };
    await expect.poll(untilCredited).toBe(0);
    expect([await conversions(), await spend()]).toEqual([12n, 36_000_000_000n]);
  },
);
