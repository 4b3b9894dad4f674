import type { CounterIncrement, ListPush } from './counter-effects.ts';
import type { EventCounts } from './event-counts.ts';

export type { CounterIncrement, ListPush };

/** Remembers `value` under `key` unless the key stands already; only then also counts and pushes. */
export interface ApplyOnce {
  readonly key: string;
  readonly value: string;
  readonly ttlMs: number;
  readonly increments?: readonly CounterIncrement[];
  readonly pushes?: readonly ListPush[];
}

/** The value now standing under the key, and whether this call put it there. */
export interface ApplyOnceResult {
  readonly first: boolean;
  readonly value: string;
}

/**
 * Additions of one writer, which numbers them 1, 2, 3 …: a repeat after a lost or late response adds nothing.
 * A writer sends one number at a time, and the next one only after it knows the result of the last.
 */
export interface NumberedAddition {
  /**
   * One running object of one process. Its name is never used again. It begins with the quota that owns its counters (`q/<workspace>/<limit>`):
   * Redis keeps both in one shard. Over several shards, each adds once, but a number without counters cancels only in the writer's.
   */
  readonly writer: string;
  readonly number: number;
  /** How long the writer's newest number is remembered; each addition renews it. */
  readonly ttlMs: number;
  /** At most 200. None: the number is cancelled, unless it was added already. */
  readonly increments: readonly CounterIncrement[];
}

/** A step of a walk over all entries. */
export interface SweepStep {
  /** Entries that this step looked at: fewer than asked at the end of the walk. */
  readonly seen: number;
  /** About how many entries there are. */
  readonly entries: number;
}

/** Most operations in one `applyOnceAll`, keys in one read, and increments in one `addToCounters`. */
export const HOT_BATCH_MAX = 10_000;
/** Longest key, in UTF-8 bytes. */
export const HOT_KEY_BYTES_MAX = 1_000;

/**
 * State that delivery shares between processes of a machine (the ledger) or machines (Redis): caps, seen ids, segments, touches, quotas.
 * Keys are free text of 1…1_000 bytes; values, counters and lists live in spaces of their own, so one key may be used in each.
 * An expired entry counts as unknown. Throws `RangeError` for a key, time to live or batch outside its bounds.
 */
export interface HotStore extends EventCounts {
  /**
   * Atomic over all processes. In Redis only for keys of one shard; over several, the value comes first, and a call with the same value finishes
   * what another left open within a day.
   */
  applyOnce(op: ApplyOnce): Promise<ApplyOnceResult>;
  /** In order, at most `HOT_BATCH_MAX`; one step (the ledger) or pipeline (Redis: each operation is atomic, the batch is not). */
  applyOnceAll(ops: readonly ApplyOnce[]): Promise<readonly ApplyOnceResult[]>;
  get(key: string): Promise<string | null>;
  /** As `get`, for many. */
  readValues(keys: readonly string[]): Promise<readonly (string | null)[]>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Forgets the value, the counter and the list of this key. */
  delete(key: string): Promise<void>;
  /**
   * Forgets every value, counter and list whose key begins with one of these, and returns how many there were of each (a key counts
   * for the first that it begins with). Redis looks at every key, once for every thousand prefixes: not for the ad path.
   */
  deletePrefixes(prefixes: readonly string[]): Promise<readonly number[]>;
  /** Missing or expired = 0n. */
  readCounters(keys: readonly string[]): Promise<readonly bigint[]>;
  /** The process that has the ledger open reads at once; null when only the asynchronous form exists. For the ad path. */
  readCountersNow(keys: readonly string[]): readonly bigint[] | null;
  /** Atomic over all processes (Redis: in each shard); returns the new values in order. */
  addToCounters(increments: readonly CounterIncrement[]): Promise<readonly bigint[]>;
  /**
   * Adds once per writer and number, atomically over all processes, and returns the new values in order. The writer's newest number
   * sent again adds nothing and returns the same values; an older number adds nothing and returns null.
   */
  addNumbered(addition: NumberedAddition): Promise<readonly bigint[] | null>;
  /** Newest first. */
  readList(key: string): Promise<readonly string[]>;
  /** As `readCountersNow`, for a list: null when only the asynchronous form exists. */
  readListNow(key: string): readonly string[] | null;
  /**
   * Looks at the next entries behind those of the last call, and deletes what has expired. After the last entry it begins again. Redis
   * expires by itself. `HotSweeper` calls it.
   */
  sweep(nowMs: number, entriesMax: number): Promise<SweepStep>;
  /** All earlier writes are on stable storage (the ledger) or acknowledged (Redis). */
  flushed(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
