import { basename, join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import type { CountedSum, ReadCountedSums } from '../../domain/money/counted-sums.ts';
import { frequencyCounterKey, frequencyWindowMs } from '../../domain/booking/frequency-key.ts';
import type { FrequencyScope } from '../../domain/booking/frequency-key.ts';
import type { FrequencyCap } from '../../domain/booking/line-item.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { ApplyOnce, HotStore } from '../../storage/hot/hot-store.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { insertBatchRows, readBatchRows, refusedLetters } from '../shipping/batch-rows.ts';
import type { BatchRow } from '../shipping/batch-rows.ts';
import { DEAD_LETTERS_FOLDER, openDeadLetters } from '../spool/dead-letters.ts';
import type { DeadLetters } from '../spool/dead-letters.ts';
import { addExpected, expectDeliveryCounters } from './expected-counters.ts';
import type { ExpectedCounter } from './expected-counters.ts';
import { countByUser, readEventIds } from './hot-rebuild.olap.ts';
import type { CappedEvents } from './hot-rebuild.olap.ts';
import { eventKey } from '../recording/recorder.ts';
import { AllRefusedError, insertReadable, isRefusal } from '../shipping/refused-rows.ts';
import {
  claimAt,
  COUNTED_ON_ARRIVAL_TTL_MS,
  countedOnArrivalKey,
  isWithinBounds,
  positionOf,
  readCounted,
  positionPrefix,
} from '../spool/count-spool-file.ts';
import { finishBatch, finishShipped, listShipWork } from '../shipping/ship-batches.ts';
import type { ShipBatch } from '../shipping/ship-batches.ts';
import { decodeSpoolLine, readEntries } from '../spool/spool-line.ts';
import type { Claim, SpoolEntry } from '../spool/spool-line.ts';
import { listSpoolFiles, listWorkerIndexes } from '../spool/spool-files.ts';
import type { SpoolFile } from '../spool/spool-files.ts';

/** Dependencies of the rebuild. */
export interface HotRebuildDeps {
  readonly hot: HotStore;
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
/** Most users of one cap whose counters are rebuilt, latest first. */
const USERS_MAX = 500_000;
const CHUNK = 1_000;
/** The value of a claim that was rebuilt from the event table, and from a counted spool file. */
const FROM_TABLE = 'r/table';
const FROM_SPOOL = 'r/spool';

/** How long an event's link counts, with a margin: a repeat after that is late, and has an id of its own. */
const SEEN: readonly { readonly kinds: readonly string[]; readonly forMs: number }[] = [
  { kinds: ['impression'], forMs: 2 * HOUR_MS },
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
  await setCounters(deps.hot, expected);
  await deps.hot.flushed();
  const tookMs = Math.round(performance.now() - startedMs);
  deps.log.event('hot_store.rebuilt', { ids, counters: frequencies + expected.size, spoolLines: lines, tookMs });
}

/**
 * An insert that was cut off may be in the event table and not in the roll-ups. A repeat under its token completes it or changes nothing:
 * ids and sums then cover the same events. Its files are deleted: the roll-ups count their lines, whatever their age.
 */
async function finishBatches({ spoolDir, olap, log }: HotRebuildDeps): Promise<void> {
  const deadLetters = openDeadLetters(join(spoolDir, DEAD_LETTERS_FOLDER), log);
  for (const workerIndex of listWorkerIndexes(spoolDir)) {
    const dir = join(spoolDir, `w${workerIndex}`);
    await finishShipped(dir);
    for (const batch of listShipWork(dir).batches) {
      const { rows } = await readBatchRows(batch, deadLetters);
      try {
        await insertBatchRows(olap, rows, batch);
        await finishBatch(batch);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        await finishRefusedBatch({ olap, deadLetters, batch, rows });
      }
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
    const { table } = batch;
    const refused = await insertReadable(
      (part, token) => insertBatchRows(olap, part, { table, token }),
      rows,
      batch.token,
    );
    deadLetters.record({ file: `${basename(batch.dir)}/${batch.name}`, step: 'ship' }, refusedLetters(refused));
    await finishBatch(batch);
  } catch (error) {
    // The store refuses every row, and has stored none: the batch waits for the shipper.
    if (!(error instanceof AllRefusedError)) throw error;
  }
}

async function rebuildSeenIds({ hot, olap, nowMs }: HotRebuildDeps): Promise<number> {
  let ids = 0;
  for (const { kinds, forMs } of SEEN) {
    const fromMs = nowMs() - forMs;
    let ops: ApplyOnce[] = [];
    const claim = async (): Promise<void> => {
      ids += ops.length;
      if (ops.length > 0) await hot.applyOnceAll(ops);
      ops = [];
    };
    for await (const { eventId, timeMs } of readEventIds(olap, { kinds, fromMs, idsMax: IDS_MAX })) {
      ops.push({ key: eventKey(eventId), value: FROM_TABLE, ttlMs: Math.max(HOUR_MS, timeMs + forMs - nowMs()) });
      if (ops.length >= CHUNK) await claim();
    }
    await claim();
  }
  return ids;
}

/**
 * Lines that are not in the event table yet. Lines that are not counted yet hold their claims under the positions that the counting will
 * give them, and so are not counted twice: an event that depends on an earlier one must find it from the first request on. Counted files
 * come first: when a file exists in both forms, the counted one is right.
 */
async function addSpoolLines(deps: HotRebuildDeps, expected: Map<string, ExpectedCounter>): Promise<number> {
  const files = listWorkerIndexes(deps.spoolDir).flatMap((workerIndex) =>
    listSpoolFiles(join(deps.spoolDir, `w${workerIndex}`)),
  );
  const isCounted = ({ state }: SpoolFile): boolean => state === 'settled';
  let added = 0;
  for (const file of [...files.filter(isCounted), ...files.filter((one) => !isCounted(one))]) {
    const claims = claimsIn(file, readEntries(await readCounted(file)));
    for (let start = 0; start < claims.length; start += CHUNK)
      added += await addClaims(deps.hot, expected, claims.slice(start, start + CHUNK));
    if (!isCounted(file) && claims.length > 0)
      await deps.hot.set(countedOnArrivalKey(positionPrefix(file)), '1', COUNTED_ON_ARRIVAL_TTL_MS);
  }
  return added;
}

function claimsIn(
  file: SpoolFile,
  entries: readonly SpoolEntry[],
): { readonly claim: Claim; readonly value: string }[] {
  return entries.flatMap((entry, index) => {
    const claim = entry.isWhole ? (decodeSpoolLine(entry.bytes.toString('utf8'))?.claim ?? null) : null;
    const value =
      file.state === 'settled'
        ? `${FROM_SPOOL}/${positionPrefix(file)}/${entry.offset}`
        : positionOf(file, entry, index);
    // The counting turns claims that are out of bounds into dead letters.
    return claim === null || !isWithinBounds(claimAt(claim, value)) ? [] : [{ claim, value }];
  });
}

async function addClaims(
  hot: HotStore,
  expected: Map<string, ExpectedCounter>,
  claims: readonly { readonly claim: Claim; readonly value: string }[],
): Promise<number> {
  const results = await hot.applyOnceAll(
    claims.map(({ claim, value }) => ({ key: claim.key, value, ttlMs: claim.ttlMs, pushes: claim.pushes })),
  );
  let added = 0;
  for (const [at, { claim, value }] of claims.entries()) {
    // Another value: its row is in the event table already, or a line before it is the first of its id.
    if (results[at]?.value !== value) continue;
    added += 1;
    // Releases of reservations are left out: the reservations were lost with the store.
    for (const increment of claim.increments) if (increment.by > 0n) addExpected(expected, increment);
  }
  return added;
}

/** Corrects each counter by its difference from the expected value. */
async function setCounters(hot: HotStore, expected: ReadonlyMap<string, ExpectedCounter>): Promise<void> {
  const all = [...expected];
  for (let start = 0; start < all.length; start += CHUNK) {
    const part = all.slice(start, start + CHUNK);
    const standing = await hot.readCounters(part.map(([key]) => key));
    const increments = part
      .map(([key, { value, ttlMs }], at) => ({ key, by: value - (standing[at] ?? 0n), ttlMs }))
      .filter(({ by }) => by !== 0n);
    if (increments.length > 0) await hot.addToCounters(increments);
  }
}

interface CapOwner {
  readonly scope: FrequencyScope;
  readonly column: CappedEvents['column'];
  readonly idOf: (sum: CountedSum) => string;
  readonly capsOf: (catalog: Catalog, workspaceId: number, id: string) => readonly FrequencyCap[] | undefined;
}

const CAP_OWNERS: readonly CapOwner[] = [
  {
    scope: 'cr',
    column: 'creative_id',
    idOf: (sum) => sum.creativeId,
    capsOf: (catalog, at, id) => catalog.findCreative(at, id)?.frequencyCaps,
  },
  {
    scope: 'li',
    column: 'line_item_id',
    idOf: (sum) => sum.lineItemId,
    capsOf: (catalog, at, id) => catalog.findLineItem(at, id)?.frequencyCaps,
  },
  {
    scope: 'ca',
    column: 'campaign_id',
    idOf: (sum) => sum.campaignId,
    capsOf: (catalog, at, id) => catalog.findCampaign(at, id)?.frequencyCaps,
  },
  {
    scope: 'ad',
    column: 'advertiser_id',
    idOf: (sum) => sum.advertiserId,
    capsOf: (catalog, at, id) => catalog.findAdvertiser(at, id)?.frequencyCaps,
  },
];

/**
 * Frequency counters of events that name their user, plus the additions of counted lines, which are taken out of `expected`: one cap's
 * users at a time, since all caps together may not fit into memory. A window begins with the user's first event within its length: when
 * windows followed each other, it may end later than the lost one, never earlier.
 * @returns how many counters
 */
async function setFrequencies(deps: HotRebuildDeps, expected: Map<string, ExpectedCounter>): Promise<number> {
  const sums = await deps.readSums({ timezone: null, fromMs: 0 });
  let counters = 0;
  for (const owner of CAP_OWNERS) {
    const byOwner = Map.groupBy(sums, (sum) => `${sum.workspaceId}/${owner.idOf(sum)}`);
    for (const own of byOwner.values()) counters += await setFrequenciesOf(deps, expected, { owner, own });
  }
  return counters;
}

/** @param of.own the sums of one object */
async function setFrequenciesOf(
  { hot, olap, catalog, nowMs }: HotRebuildDeps,
  expected: Map<string, ExpectedCounter>,
  { owner, own }: { readonly owner: CapOwner; readonly own: readonly CountedSum[] },
): Promise<number> {
  const { scope, column } = owner;
  const [first] = own;
  if (first === undefined) return 0;
  const { workspaceId } = first;
  const id = owner.idOf(first);
  const isCompanion = (creativeId: string): boolean =>
    (catalog.findCreative(workspaceId, creativeId)?.masterCreativeId ?? null) !== null;
  const besides = scope === 'cr' ? [] : own.map(({ creativeId }) => creativeId).filter(isCompanion);
  // Caps of one window and event share a counter.
  const caps = Map.groupBy(owner.capsOf(catalog, workspaceId, id) ?? [], (cap) =>
    frequencyCounterKey({ workspaceId, userHash: '', scope, id, cap }),
  );
  let counters = 0;
  for (const [cap] of caps.values()) {
    if (cap === undefined) continue;
    const windowMs = frequencyWindowMs(cap);
    const kind = cap.event === 'CLICKS' ? 'click' : 'impression';
    const users = await countByUser(olap, {
      workspaceId,
      column,
      id,
      kind,
      withoutCreatives: kind === 'impression' ? besides : [],
      fromMs: Math.max(0, nowMs() - windowMs),
      usersMax: USERS_MAX,
    });
    for (let start = 0; start < users.length; start += CHUNK) {
      const part = new Map<string, ExpectedCounter>();
      for (const { userHash, count, firstMs } of users.slice(start, start + CHUNK)) {
        const key = frequencyCounterKey({ workspaceId, userHash, scope, id, cap });
        const value = count + (expected.get(key)?.value ?? 0n);
        expected.delete(key);
        part.set(key, { value, ttlMs: Math.max(1_000, firstMs + windowMs - nowMs()) });
      }
      await setCounters(hot, part);
    }
    counters += users.length;
  }
  return counters;
}
