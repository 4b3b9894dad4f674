import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import type { ReadCountedSums } from '../../domain/money/counted-sums.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { EventLine } from '../../storage/hot/event-counts.ts';
import type { RebuildTarget } from '../../storage/hot/recoverable-shards.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { type BatchRow, insertBatchRows, readBatchRows, refusedLetters } from '../shipping/batch-rows.ts';
import { DEAD_LETTERS_FOLDER, type DeadLetters, openDeadLetters } from '../spool/dead-letters.ts';
import { addExpected, expectDeliveryCounters, type ExpectedCounter } from './expected-counters.ts';
import { readBilledOrders, readEventIds } from './hot-rebuild.olap.ts';
import { setFrequencies } from './rebuild-frequencies.ts';
import { CHUNK, setCounters } from './set-counters.ts';
import { ORDER_CLAIM_TTL_MS, orderBillKey } from '../activities/order-bills.ts';
import { eventKey } from '../recording/recorder.ts';
import { AllRefusedError, insertReadable, isRefusal } from '../shipping/refused-rows.ts';
import { readCounted } from '../spool/count-spool-file.ts';
import { countedName, eventLineAt, isCountable } from '../spool/event-lines.ts';
import { completeBatches, deleteShipped, finishBatch, listBatchFolders } from '../shipping/batch-folders.ts';
import type { ShipBatch } from '../shipping/ship-batch.ts';
import { prepareBatch } from '../shipping/stored-rows.ts';
import { decodeSpoolLine, readEntries, type SpoolEntry } from '../spool/spool-line.ts';
import { listSpoolFiles, listWorkerIndexes, type SpoolFile } from '../spool/spool-files.ts';

/** Dependencies of the rebuild. */
export interface HotRebuildDeps {
  readonly hot: RebuildTarget;
  readonly olap: Olap;
  readonly readSums: ReadCountedSums;
  readonly catalog: Catalog;
  /** `<data>/spool` */
  readonly spoolDir: string;
  readonly nowMs: () => number;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Most seen ids that are rebuilt for each row, newest first. */
const IDS_MAX = 2_000_000;
/** Names of things that no worker counts: the event table, and a counted file before the name of the file that it came from. */
const TABLE = 'rebuild/table';
const COUNTED = 'rebuild/counted';

/** How long an event's link counts, with a margin: a repeat after that is late, and has an id of its own. */
const SEEN: readonly {
  readonly kinds: readonly string[];
  readonly forMs: number;
}[] = [
  // An exposure pays only with its impression, up to six hours later.
  { kinds: ['impression'], forMs: 6 * HOUR_MS },
  {
    kinds: [
      'viewable',
      'measurable',
      'video_start',
      'video_first_quartile',
      'video_midpoint',
      'video_third_quartile',
      'video_complete',
      'video_mute',
      'video_unmute',
      'video_pause',
      'video_resume',
      'video_skip',
      'video_error',
    ],
    forMs: 6 * HOUR_MS,
  },
  { kinds: ['click'], forMs: 32 * DAY_MS },
  { kinds: ['flat_day'], forMs: 21 * DAY_MS },
  { kinds: ['activity'], forMs: 400 * DAY_MS },
  { kinds: ['touch'], forMs: 9 * DAY_MS },
];

/**
 * Rebuilds seen ids, delivery counters and frequency counters after the store that held them was moved aside. No worker may count or decide
 * meanwhile. A repeat after a crash has the same result: ids are claimed once, counters are set.
 * @throws OlapError when the analytics store does not respond
 */
export async function rebuildHotStore(deps: HotRebuildDeps): Promise<void> {
  const startedMs = performance.now();
  await finishBatches(deps);
  const ids = await rebuildSeenIds(deps);
  const expected = await expectDeliveryCounters({ ...deps, nowMs: deps.nowMs() });
  const lines = await addSpoolLines(deps, expected);
  const frequencies = await setFrequencies(deps, expected);
  await setBilledOrders(deps);
  await setCounters(deps.hot, expected);
  await deps.hot.flushed();
  const tookMs = Math.round(performance.now() - startedMs);
  deps.log.event('hot_store.rebuilt', { ids, counters: frequencies + expected.size, spoolLines: lines, tookMs });
}

/**
 * An insert that was cut off may be in the event table and not in the roll-ups. A repeat under its token completes it or changes nothing:
 * ids and sums then cover the same events. Its files are deleted: the roll-ups count their lines, whatever their age.
 */
export async function finishBatches({
  spoolDir,
  olap,
  log,
  nowMs,
}: Pick<HotRebuildDeps, 'spoolDir' | 'olap' | 'log' | 'nowMs'>): Promise<void> {
  const deadLetters = openDeadLetters(join(spoolDir, DEAD_LETTERS_FOLDER), log);
  await deleteShipped(spoolDir);
  await completeBatches(spoolDir);
  for (const found of listBatchFolders(spoolDir)) {
    const batch = await prepareBatch(found, { olap, log, nowMs });
    const { rows } = await readBatchRows(batch, deadLetters);
    try {
      await insertBatchRows(olap, rows, batch.token);
      await finishBatch(batch);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await finishRefusedBatch({ olap, deadLetters, batch, rows });
    }
  }
}

/**
 * When the store refuses rows of a batch, some parts may be stored, and the last one may have been cut off before the roll-ups: parts are
 * repeated under their own tokens. Refused rows become dead letters.
 */
async function finishRefusedBatch({
  olap,
  deadLetters,
  batch,
  rows,
}: {
  readonly olap: Olap;
  readonly deadLetters: DeadLetters;
  readonly batch: ShipBatch;
  readonly rows: readonly BatchRow[];
}): Promise<void> {
  try {
    const refused = await insertReadable((part, token) => insertBatchRows(olap, part, token), rows, batch.token);
    deadLetters.record({ file: `${basename(batch.dir)}/${batch.name}`, step: 'ship' }, refusedLetters(refused));
    await finishBatch(batch);
  } catch (error) {
    // The store refuses every row, and has stored none: the batch waits for the shipper.
    if (!(error instanceof AllRefusedError)) throw error;
  }
}

/** What the event table says, without the spool: nobody may insert meanwhile. @returns ids and counters that were set */
export async function rebuildFromTable(
  deps: Omit<HotRebuildDeps, 'spoolDir'>,
): Promise<{ readonly ids: number; readonly counters: number }> {
  const before = await countStored(deps);
  const ids = await rebuildSeenIds(deps);
  const expected = await expectDeliveryCounters({ ...deps, nowMs: deps.nowMs() });
  const counters = expected.size + (await setFrequencies(deps, expected)) + (await setBilledOrders(deps));
  await setCounters(deps.hot, expected);
  await deps.hot.flushed();
  if ((await countStored(deps)) !== before)
    throw new Error('Events were stored while the counters of the hot store were rebuilt');
  return { ids, counters };
}

/** A number that grows with every event that is stored. */
async function countStored({ readSums }: Pick<HotRebuildDeps, 'readSums'>): Promise<bigint> {
  const sums = await readSums({ timezone: null, fromMs: 0 });
  return sums.flatMap(({ counts }) => Object.values(counts)).reduce((sum, one) => sum + one, 0n);
}

/** Each row of the table is a line of a file that nobody else has. */
async function rebuildSeenIds({ hot, olap, nowMs }: Pick<HotRebuildDeps, 'hot' | 'olap' | 'nowMs'>): Promise<number> {
  const file = `${TABLE}/${randomUUID()}`;
  let ids = 0;
  let lines: EventLine[] = [];
  const count = async (): Promise<void> => {
    if (lines.length > 0) await hot.countLines({ file, from: ids - lines.length, to: ids, lines });
    lines = [];
  };
  for (const { kinds, forMs } of SEEN) {
    const of = { kinds, fromMs: nowMs() - forMs, idsMax: IDS_MAX };
    for await (const { eventId, timeMs } of readEventIds(olap, of)) {
      const ttlMs = Math.max(HOUR_MS, timeMs + forMs - nowMs());
      lines.push({ offset: ids, key: eventKey(eventId), ttlMs, increments: [], pushes: [] });
      ids += 1;
      if (lines.length >= CHUNK) await count();
    }
  }
  await count();
  await hot.forgetFile(file);
  return ids;
}

/**
 * Lines that are not in the event table yet. Files that are not counted yet are counted here, their increments as expected ones: an event
 * that depends on an earlier one must find it from the first request on. Counted files come first: when a file exists in both forms, the
 * counted one is right.
 */
async function addSpoolLines(deps: HotRebuildDeps, expected: Map<string, ExpectedCounter>): Promise<number> {
  const own = listWorkerIndexes(deps.spoolDir).flatMap((workerIndex) =>
    listSpoolFiles(join(deps.spoolDir, `w${workerIndex}`)),
  );
  const files = [...listBatchFolders(deps.spoolDir).flatMap((batch) => batch.files), ...own];
  const isCounted = ({ state }: SpoolFile): boolean => state === 'settled';
  let added = 0;
  for (const file of files.filter(isCounted)) added += await addFile(deps.hot, expected, file);
  for (const file of files.filter((one) => !isCounted(one))) added += await addFile(deps.hot, expected, file);
  return added;
}

/** @returns lines of the file that are the first of their event */
async function addFile(hot: RebuildTarget, expected: Map<string, ExpectedCounter>, file: SpoolFile): Promise<number> {
  const entries = readEntries(await readCounted(file));
  const lines = entries.flatMap(eventOf);
  const name = file.state === 'settled' ? `${COUNTED}/${countedName(file)}` : countedName(file);
  const duplicates = await hot.countRest({ file: name, to: file.bytes }, (from) =>
    lines.filter(({ offset }) => offset >= from).map((line) => ({ ...line, increments: [] })),
  );
  const first = lines.filter(({ offset }) => !duplicates.has(offset));
  // Releases of reservations are left out: the reservations were lost with the store.
  for (const { increments } of first)
    for (const increment of increments) if (increment.by > 0n) addExpected(expected, increment);
  return first.length;
}

/** The counting turns claims that are out of bounds into dead letters. */
export function eventOf(entry: SpoolEntry): EventLine[] {
  const claim = entry.isWhole ? (decodeSpoolLine(entry.bytes.toString('utf8'))?.claim ?? null) : null;
  const line = claim === null ? null : eventLineAt(claim, entry.offset);
  return line === null || !isCountable(line) ? [] : [line];
}

/** An order that earned earns no second time. @returns how many counters */
async function setBilledOrders({ hot, olap, nowMs }: Pick<HotRebuildDeps, 'hot' | 'olap' | 'nowMs'>): Promise<number> {
  const fromMs = nowMs() - ORDER_CLAIM_TTL_MS;
  let counters = 0;
  let part = new Map<string, ExpectedCounter>();
  const set = async (): Promise<void> => {
    await setCounters(hot, part);
    counters += part.size;
    part = new Map();
  };
  for await (const order of readBilledOrders(olap, { fromMs, ordersMax: IDS_MAX })) {
    const ttlMs = Math.max(HOUR_MS, order.timeMs - fromMs);
    part.set(orderBillKey(order), { value: 1n, ttlMs });
    if (part.size >= CHUNK) await set();
  }
  await set();
  return counters;
}
