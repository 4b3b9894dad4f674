import { open } from 'lmdb';
import { isEventSet } from './event-set.ts';
import { COUNTER, EVENTS, expiryBytes, isProgress, LIST, OLD_INDEX, PROGRESS, VALUE } from './lmdb-entries.ts';
import { isRecordKey, isUserRecord } from './user-record.ts';

/** The result of a walk over an LMDB store. */
export type HotStoreWalk =
  | { readonly state: 'whole'; readonly entries: number }
  /** Time was up before the end; what was seen is whole. */
  | { readonly state: 'unfinished'; readonly entries: number }
  | { readonly state: 'damaged'; readonly reason: string };

const KINDS: ReadonlySet<number> = new Set([VALUE, COUNTER, LIST, EVENTS, PROGRESS]);
const COUNTER_BYTES = expiryBytes + 8;
/** The longest time to live is 20 years; nothing expires later than this (epoch milliseconds of the year 2300). */
const EXPIRES_MS_MAX = 10_413_792_000_000;
/** Entries between two looks at the clock. */
const SLICE = 1_000;

/**
 * Reads every entry of a store: each page is touched, keys must rise, entries must have the form that they are written in, and there
 * must be as many as the store says. Damage may end the process with a signal: run it in one of its own (`checkHotStore`).
 * @param untilMs of `performance.now()`
 */
export function walkHotStore(dir: string, untilMs: number): HotStoreWalk {
  const env = open<Buffer, Buffer>({
    path: dir,
    encoding: 'binary',
    keyEncoding: 'binary',
    readOnly: true,
    compression: false,
  });
  const stats = env.getStats() as { entryCount?: number };
  let entries = 0;
  let before: Buffer | null = null;
  for (const { key, value } of env.getRange({ snapshot: true })) {
    entries += 1;
    const problem = before !== null && Buffer.compare(before, key) >= 0 ? 'keys do not rise' : problemOf(key, value);
    if (problem !== null) return { state: 'damaged', reason: `entry ${entries}: ${problem}` };
    before = Buffer.from(key);
    if (entries % SLICE === 0 && performance.now() > untilMs) return { state: 'unfinished', entries };
  }
  if (stats.entryCount !== undefined && stats.entryCount !== entries)
    return { state: 'damaged', reason: `${entries} entries instead of ${stats.entryCount}` };
  return { state: 'whole', entries };
}

/** The fault of an entry; null for a valid one. */
function problemOf(key: Buffer, value: Buffer): string | null {
  const [kind = -1] = key;
  if (kind === OLD_INDEX) {
    const isIndex = key.length > 1 + expiryBytes + 1 && KINDS.has(key[1 + expiryBytes] ?? -1) && value.length === 0;
    return isIndex ? null : 'a wrong entry of the index by time';
  }
  if (!KINDS.has(kind) || key.length < 2) return 'a key of no kind';
  if (value.length < expiryBytes) return 'a value that is too short';
  const expiresMs = value.readDoubleBE(0);
  if (!(expiresMs > 0 && expiresMs <= EXPIRES_MS_MAX)) return 'an impossible time of expiry';
  if (kind === COUNTER && value.length !== COUNTER_BYTES) return 'a counter of a wrong length';
  if (kind === EVENTS && !isEventSet(value.subarray(expiryBytes))) return 'a set of events of a wrong length';
  if (kind === PROGRESS && !isProgress(value)) return 'the progress of a spool file that is cut';
  if (isRecordKey(key) && !isUserRecord(value)) return 'a record of a user that is cut';
  return kind === LIST && !isList(value) ? 'a list that is cut' : null;
}

function isList(value: Buffer): boolean {
  let at = expiryBytes;
  while (at + 4 <= value.length) at += 4 + value.readUInt32LE(at);
  return at === value.length;
}
