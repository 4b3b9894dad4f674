import type { RootDatabase } from 'lmdb';
import { addMember, EMPTY_SET, hasMember } from './event-set.ts';
import type { EventSet } from './event-set.ts';
import type { EventLocation } from './event-location.ts';
import type { CounterIncrement, ListPush } from './hot-store.ts';
import type { OldUserEntries } from './old-user-entries.ts';
import { recordKey, UserRecord } from './user-record.ts';
import { userKeyOf } from './user-key.ts';
import type { MemberKind, UserKey } from './user-key.ts';
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
  readonly #records = new Map<string, UserRecord>();
  readonly #old: OldUserEntries;
  /** Stored keys of entries that moved into a record. */
  readonly #moved = new Map<string, Buffer>();

  constructor(env: LmdbEnv, nowMs: number, old: OldUserEntries) {
    this.#env = env;
    this.nowMs = nowMs;
    this.#old = old;
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
  increment(increment: CounterIncrement): bigint {
    const { key, by, ttlMs } = increment;
    const position = userKeyOf('counter', key);
    const record = position === null ? null : this.#recordFor('counter', { key, ttlMs }, position);
    return position === null || record === null
      ? this.#incrementOwn(increment)
      : record.add(position.name, by, this.nowMs + ttlMs);
  }

  push(push: ListPush): void {
    const { key, value, max, ttlMs } = push;
    const position = userKeyOf('list', key);
    const record = position === null ? null : this.#recordFor('list', { key, ttlMs }, position);
    if (position === null || record === null) return this.#pushOwn(push);
    const list = pushToList(record.listOf(position.name) ?? NO_LIST, value, max);
    record.setList(position.name, list, this.#renewed(record.expiryOf(position.name), ttlMs));
  }

  /** Moves an entry that stands by itself into the record of its user, if it has space. */
  moveIntoRecord(kind: MemberKind, key: string): void {
    const position = userKeyOf(kind, key);
    if (position === null || this.#hasOwn(kind, key)) return;
    const record = this.#recordOf(position.owner);
    if (record.has(position.name) || record.hasSpace()) this.#adopt(kind, key, { record, name: position.name });
  }

  #incrementOwn({ key, by, ttlMs }: CounterIncrement): bigint {
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      counter = this.#read(storedKey(COUNTER, key), readCount, { value: 0n, expiresAtMs: this.nowMs + ttlMs });
      this.#counters.set(key, counter);
    }
    counter.value = within64Bits(counter.value + by);
    counter.isChanged = true;
    return counter.value;
  }

  #pushOwn({ key, value, max, ttlMs }: ListPush): void {
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
    for (const stored of this.#moved.values()) this.#env.removeSync(stored);
    for (const { stored, isChanged, entry } of this.#records.values()) if (isChanged) this.#env.putSync(stored, entry);
    for (const entry of this.#values.values()) this.#put(entry, Buffer.from(entry.value));
    for (const entry of this.#counters.values()) this.#putCounter(entry);
    for (const entry of this.#lists.values()) this.#put(entry, entry.value);
    for (const entry of this.#events.values()) if (entry.isChanged) this.#put(entry, entry.value);
    for (const entry of this.#progress.values()) if (entry.isChanged) this.#put(entry, encodeProgress(entry.value));
  }

  /** The record that holds an entry from now on; null: it stands by itself. */
  #recordFor(
    kind: MemberKind,
    { key, ttlMs }: { readonly key: string; readonly ttlMs: number },
    { owner, name }: UserKey,
  ): UserRecord | null {
    const record = this.#recordOf(owner);
    if (this.#hasOwn(kind, key) || (!record.has(name) && !record.hasSpace())) {
      // A list lives somewhat longer than requested.
      const aheadMs = Math.ceil(ttlMs / RENEWED_AHEAD);
      record.setOthers(this.nowMs + ttlMs + aheadMs, aheadMs);
      return null;
    }
    if (record.hasOthers || this.#old.mayStand(this.nowMs)) this.#adopt(kind, key, { record, name });
    return record;
  }

  /** Whether this transaction changes an entry by itself. */
  #hasOwn(kind: MemberKind, key: string): boolean {
    return (kind === 'counter' ? this.#counters : this.#lists).has(key);
  }

  #recordOf(owner: string): UserRecord {
    let record = this.#records.get(owner);
    if (record === undefined) {
      const stored = recordKey(owner);
      const entry = this.#env.getBinaryFast(stored);
      const isStanding = entry !== undefined && readExpiry(entry) > this.nowMs;
      record = new UserRecord(stored, isStanding ? entry : undefined, this.nowMs);
      this.#records.set(owner, record);
    }
    return record;
  }

  /** Adds an entry that stands by itself, of an older program or from a record that was full. */
  #adopt(
    kind: MemberKind,
    key: string,
    { record, name }: { readonly record: UserRecord; readonly name: string },
  ): void {
    const stored = storedKey(kind === 'counter' ? COUNTER : LIST, key);
    const moved = `${kind}/${key}`;
    if (this.#moved.has(moved)) return;
    const entry = this.#env.getBinaryFast(stored);
    if (entry === undefined) return;
    this.#moved.set(moved, stored);
    const expiresAtMs = readExpiry(entry);
    if (expiresAtMs <= this.nowMs) return;
    if (kind === 'counter') record.add(name, readCount(entry), expiresAtMs);
    else {
      // An entry beside a list was pushed later, by an older program that ran meanwhile.
      const list = Buffer.concat([readList(entry), record.listOf(name) ?? NO_LIST]);
      record.setList(name, list, Math.max(expiresAtMs, record.expiryOf(name)));
    }
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
    entry.expiresAtMs = this.#renewed(entry.expiresAtMs, ttlMs);
  }

  #renewed(beforeMs: number, ttlMs: number): number {
    const expiresAtMs = this.nowMs + ttlMs;
    return beforeMs < expiresAtMs ? expiresAtMs + Math.floor(ttlMs / RENEWED_AHEAD) : beforeMs;
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
