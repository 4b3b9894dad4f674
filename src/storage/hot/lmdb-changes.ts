import type { RootDatabase } from 'lmdb';
import { addMember, EMPTY_SET, hasMember } from './event-set.ts';
import type { EventSet } from './event-set.ts';
import type { EventLocation } from './event-location.ts';
import type { CounterIncrement, ListPush } from './hot-store.ts';
import {
  COUNTER,
  counterBytes,
  decodeEvents,
  decodeProgress,
  encodeProgress,
  EVENTS,
  expiryBytes,
  LIST,
  PROGRESS,
  pushToList,
  readCount,
  readExpiry,
  readList,
  storedKey,
  VALUE,
  within64Bits,
  writeCounter,
} from './lmdb-entries.ts';
import type { FileProgress } from './lmdb-entries.ts';

/** The store: keys and values are bytes. */
export type LmdbEnv = RootDatabase<Buffer, Buffer>;

/** A list or a set that must live longer lives this part of its time longer still. */
const RENEWED_AHEAD = 32;
/** A put within a transaction copies what it is given, so all counters, and all short entries, share a buffer. */
const COUNTER_ENTRY = Buffer.alloc(expiryBytes + counterBytes);
const COUNTER_VIEW = new DataView(COUNTER_ENTRY.buffer, COUNTER_ENTRY.byteOffset);
const SHORT_ENTRY = Buffer.alloc(8_192);
const NO_LIST = Buffer.alloc(0);
const NO_PROGRESS: FileProgress = { watermark: 0, duplicates: [] };

/** An entry that a transaction has read and not yet written. */
interface ChangedEntry<V> {
  readonly stored: Buffer;
  expiresAtMs: number;
  value: V;
  isChanged: boolean;
}

/** The standing entry of a key, or none. */
interface Standing<V> {
  readonly expiresAtMs: number;
  readonly value: V;
}

/**
 * The changes of a transaction, written once all of its operations have succeeded: LMDB keeps the writes of a transaction whose callback
 * throws. What many operations change is read and written once.
 */
export class LmdbChanges {
  readonly nowMs: number;
  readonly #env: LmdbEnv;
  readonly #values = new Map<string, ChangedEntry<string>>();
  readonly #counters = new Map<string, ChangedEntry<bigint>>();
  readonly #lists = new Map<string, ChangedEntry<Buffer>>();
  readonly #events = new Map<string, ChangedEntry<EventSet>>();
  readonly #progress = new Map<string, ChangedEntry<FileProgress>>();

  constructor(env: LmdbEnv, nowMs: number) {
    this.#env = env;
    this.nowMs = nowMs;
  }

  /** The value as this transaction has left it so far. */
  valueOf(key: string): string | null {
    return this.#values.get(key)?.value ?? readValue(this.#env, key, this.nowMs);
  }

  setValue({ key, value, ttlMs }: { readonly key: string; readonly value: string; readonly ttlMs: number }): void {
    const stored = storedKey(VALUE, key);
    this.#values.set(key, { stored, expiresAtMs: this.nowMs + ttlMs, value, isChanged: true });
  }

  /** The value after it. */
  increment({ key, by, ttlMs }: CounterIncrement): bigint {
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      counter = this.#read(storedKey(COUNTER, key), readCount, { value: 0n, expiresAtMs: this.nowMs + ttlMs });
      this.#counters.set(key, counter);
    }
    counter.value = within64Bits(counter.value + by);
    counter.isChanged = true;
    return counter.value;
  }

  push({ key, value, max, ttlMs }: ListPush): void {
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = this.#read(storedKey(LIST, key), readList, { value: NO_LIST, expiresAtMs: 0 });
      this.#lists.set(key, list);
    }
    list.value = pushToList(list.value, value, max);
    list.isChanged = true;
    this.#renew(list, ttlMs);
  }

  hasEvent(location: EventLocation): boolean {
    return hasMember(this.#setOf(location).value, location.member);
  }

  addEvent(location: EventLocation, ttlMs: number): void {
    const set = this.#setOf(location);
    set.value = addMember(set.value, location.member);
    set.isChanged = true;
    // A first event expires when its own claim does.
    if (set.expiresAtMs === 0) set.expiresAtMs = this.nowMs + ttlMs;
    else this.#renew(set, ttlMs);
  }

  progressOf(file: string): FileProgress {
    return this.#progressEntry(file).value;
  }

  setProgress(file: string, progress: FileProgress, ttlMs: number): void {
    const entry = this.#progressEntry(file);
    entry.value = progress;
    entry.expiresAtMs = this.nowMs + ttlMs;
    entry.isChanged = true;
  }

  /** Reads nothing, so that a damaged entry cannot end it in the middle. */
  write(): void {
    for (const entry of this.#values.values()) this.#put(entry, Buffer.from(entry.value));
    for (const entry of this.#counters.values()) this.#putCounter(entry);
    for (const entry of this.#lists.values()) this.#put(entry, entry.value);
    for (const entry of this.#events.values()) if (entry.isChanged) this.#put(entry, entry.value);
    for (const entry of this.#progress.values()) if (entry.isChanged) this.#put(entry, encodeProgress(entry.value));
  }

  #setOf({ set }: EventLocation): ChangedEntry<EventSet> {
    let entry = this.#events.get(set);
    if (entry === undefined) {
      entry = this.#read(storedKey(EVENTS, set), decodeEvents, { value: EMPTY_SET, expiresAtMs: 0 });
      this.#events.set(set, entry);
    }
    return entry;
  }

  #progressEntry(file: string): ChangedEntry<FileProgress> {
    let entry = this.#progress.get(file);
    if (entry === undefined) {
      entry = this.#read(storedKey(PROGRESS, file), decodeProgress, { value: NO_PROGRESS, expiresAtMs: 0 });
      this.#progress.set(file, entry);
    }
    return entry;
  }

  /** The present entry, or a new one. */
  #read<V>(stored: Buffer, decode: (entry: Buffer) => V, fresh: Standing<V>): ChangedEntry<V> {
    const entry = this.#env.getBinaryFast(stored);
    const isStanding = entry !== undefined && readExpiry(entry) > this.nowMs;
    const { value, expiresAtMs } = isStanding ? { value: decode(entry), expiresAtMs: readExpiry(entry) } : fresh;
    return { stored, value, expiresAtMs, isChanged: false };
  }

  #renew(entry: ChangedEntry<unknown>, ttlMs: number): void {
    const expiresAtMs = this.nowMs + ttlMs;
    if (entry.expiresAtMs < expiresAtMs) entry.expiresAtMs = expiresAtMs + Math.floor(ttlMs / RENEWED_AHEAD);
  }

  #putCounter({ stored, expiresAtMs, value }: ChangedEntry<bigint>): void {
    writeCounter(COUNTER_VIEW, expiresAtMs, value);
    this.#env.putSync(stored, COUNTER_ENTRY);
  }

  #put({ stored, expiresAtMs }: ChangedEntry<unknown>, payload: Buffer): void {
    const length = expiryBytes + payload.length;
    const entry = length <= SHORT_ENTRY.length ? SHORT_ENTRY.subarray(0, length) : Buffer.allocUnsafe(length);
    entry.writeDoubleBE(expiresAtMs);
    entry.set(payload, expiryBytes);
    this.#env.putSync(stored, entry);
  }
}

/** The value of a key; null when there is none. @throws RangeError for a damaged entry */
export function readValue(env: LmdbEnv, key: string, nowMs: number): string | null {
  const entry = env.getBinaryFast(storedKey(VALUE, key));
  return entry === undefined || readExpiry(entry) <= nowMs ? null : entry.toString('utf8', expiryBytes, entry.length);
}
