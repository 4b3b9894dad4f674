import { mkdirSync } from 'node:fs';
import { open, type RootDatabase } from 'lmdb';
import {
  checkApplyOnce,
  checkBatch,
  checkEntry,
  checkIncrement,
  checkKey,
  checkNumbered,
  checkValue,
  formatNumbered,
  numberedKey,
  readNumbered,
} from './hot-bounds.ts';
import type {
  ApplyOnce,
  ApplyOnceResult,
  CounterIncrement,
  HotStore,
  ListPush,
  NumberedAddition,
} from './hot-store.ts';
import { JointTransactions } from './joint-transactions.ts';
import {
  VALUE,
  COUNTER,
  LIST,
  EXPIRY,
  EMPTY,
  expiryBytes,
  storedKey,
  expiryKey,
  within64Bits,
  readExpiry,
  readCount,
  expiryOf,
  encodeCounter,
  encodeList,
  decodeList,
} from './lmdb-entries.ts';

/** Address space for the store, in bytes. The file takes only what is used. */
const mapBytes = 64 * 1_024 ** 3;
const readTransactionsMax = 512;
/** Entries that one transaction of `sweep` or `deletePrefixes` deletes: others wait for it. */
const sweepBatch = 1_000;
/** A list may live this part of its time longer. */
const LIST_RENEWED_AHEAD = 32;

type Env = RootDatabase<Buffer, Buffer>;

/** An entry that a transaction has read and not yet written. */
interface StagedEntry<V> {
  readonly stored: Buffer;
  /** When the stored entry expires; null: there is none. */
  readonly expiredBefore: number | null;
  expiresAtMs: number;
  value: V;
}

/**
 * The writes of a transaction, done once all of its operations have succeeded, by key: LMDB keeps the writes of a transaction whose
 * callback throws. Counters that many claims of a batch add to are written once.
 */
class Staged {
  readonly nowMs: number;
  readonly values = new Map<string, StagedEntry<string>>();
  readonly counters = new Map<string, StagedEntry<bigint>>();
  readonly lists = new Map<string, StagedEntry<readonly string[]>>();

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }
}

/**
 * Opens the store in a folder. Several processes of one machine share it: writes are serialised by LMDB's lock, which a killed
 * process gives up.
 * @param nowMs the clock that expiry goes by
 */
export function openLmdbHotStore(dir: string, nowMs: () => number): HotStore {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const env = open<Buffer, Buffer>({
    path: dir,
    encoding: 'binary',
    keyEncoding: 'binary',
    mapSize: mapBytes,
    maxReaders: readTransactionsMax,
    compression: false,
  });
  return new LmdbHotStore(env, nowMs);
}

class LmdbHotStore implements HotStore {
  readonly #env: Env;
  readonly #nowMs: () => number;
  readonly #joint: JointTransactions<Staged>;

  constructor(env: Env, nowMs: () => number) {
    this.#env = env;
    this.#nowMs = nowMs;
    this.#joint = new JointTransactions<Staged>({
      transaction: (work) => env.transaction(work),
      begin: () => new Staged(nowMs()),
      write: (staged) => this.#writeStaged(staged),
    });
  }

  async applyOnce(op: ApplyOnce): Promise<ApplyOnceResult> {
    const [result] = await this.applyOnceAll([op]);
    if (result === undefined) throw new Error('A batch of one operation has one result');
    return result;
  }

  async applyOnceAll(ops: readonly ApplyOnce[]): Promise<readonly ApplyOnceResult[]> {
    checkBatch(ops.length);
    ops.forEach(checkApplyOnce);
    return this.#change(ops.length, (staged, now) => ops.map((op) => this.#stageClaim(op, now, staged)));
  }

  async get(key: string): Promise<string | null> {
    const [value = null] = await this.readValues([key]);
    return value;
  }

  async readValues(keys: readonly string[]): Promise<readonly (string | null)[]> {
    checkBatch(keys.length);
    keys.forEach(checkKey);
    const now = this.#nowMs();
    this.#env.resetReadTxn();
    return keys.map((key) => this.#readValue(storedKey(VALUE, key), now));
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    checkEntry(key, ttlMs);
    checkValue(value);
    await this.#change(1, (staged, now) => this.#stageValue({ key, value, ttlMs }, now, staged));
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    await this.#joint.finished();
    await this.#env.transaction(() => {
      for (const kind of [VALUE, COUNTER, LIST]) this.#remove(storedKey(kind, key));
    });
  }

  async deletePrefixes(prefixes: readonly string[]): Promise<readonly number[]> {
    prefixes.forEach(checkKey);
    const deleted: number[] = [];
    for (const prefix of prefixes) deleted.push(await this.#deletePrefix(prefix));
    return deleted;
  }

  async #deletePrefix(prefix: string): Promise<number> {
    let deleted = 0;
    await this.#joint.finished();
    for (const kind of [VALUE, COUNTER, LIST]) {
      const start = storedKey(kind, prefix);
      const end = Buffer.concat([start, Buffer.from([0xff])]);
      for (let found = sweepBatch; found === sweepBatch; deleted += found) {
        found = await this.#env.transaction(() => {
          const keys = [...this.#env.getKeys({ start, end, limit: sweepBatch })];
          for (const key of keys) this.#remove(key);
          return keys.length;
        });
      }
    }
    return deleted;
  }

  async readCounters(keys: readonly string[]): Promise<readonly bigint[]> {
    return this.readCountersNow(keys);
  }

  readCountersNow(keys: readonly string[]): readonly bigint[] {
    checkBatch(keys.length);
    const now = this.#nowMs();
    this.#env.resetReadTxn();
    return keys.map((key) => {
      checkKey(key);
      const entry = this.#look(storedKey(COUNTER, key));
      return entry === undefined || readExpiry(entry) <= now ? 0n : readCount(entry);
    });
  }

  async addToCounters(increments: readonly CounterIncrement[]): Promise<readonly bigint[]> {
    checkBatch(increments.length);
    increments.forEach(checkIncrement);
    return this.#change(1, (staged, now) =>
      increments.map((increment) => this.#stageIncrement(increment, now, staged)),
    );
  }

  async addNumbered(addition: NumberedAddition): Promise<readonly bigint[] | null> {
    checkNumbered(addition);
    const { writer, number, ttlMs, increments } = addition;
    const key = numberedKey(writer);
    return this.#change(1, (staged, now) => {
      const known = readNumbered(this.#stagedValue(key, now, staged), number);
      if (known !== undefined) return known;
      const values = increments.map((increment) => this.#stageIncrement(increment, now, staged));
      this.#stageValue({ key, value: formatNumbered(number, values), ttlMs }, now, staged);
      return values;
    });
  }

  async readList(key: string): Promise<readonly string[]> {
    return this.readListNow(key);
  }

  readListNow(key: string): readonly string[] {
    checkKey(key);
    this.#env.resetReadTxn();
    const entry = this.#look(storedKey(LIST, key));
    return entry === undefined || readExpiry(entry) <= this.#nowMs() ? [] : decodeList(entry);
  }

  async sweep(nowMs: number, entriesMax: number): Promise<number> {
    this.#env.readerCheck();
    let swept = 0;
    while (swept < entriesMax) {
      const batch = Math.min(sweepBatch, entriesMax - swept);
      const found = await this.#env.transaction(() => this.#sweepBatch(nowMs, batch));
      swept += found;
      if (found < batch) break;
    }
    return swept;
  }

  async flushed(): Promise<void> {
    await this.#joint.finished();
    await this.#env.flushed;
  }

  async ping(): Promise<void> {
    this.#env.get(storedKey(VALUE, 'ping'));
  }

  async close(): Promise<void> {
    await this.#joint.finished();
    await this.#env.close();
  }

  #change<T>(size: number, run: (staged: Staged, now: number) => T): Promise<T> {
    return this.#joint.change(size, (staged) => run(staged, staged.nowMs));
  }

  #stageClaim(op: ApplyOnce, now: number, staged: Staged): ApplyOnceResult {
    const before = this.#stagedValue(op.key, now, staged);
    if (before !== null) return { first: false, value: before };
    this.#stageValue(op, now, staged);
    for (const increment of op.increments ?? []) this.#stageIncrement(increment, now, staged);
    for (const push of op.pushes ?? []) this.#stagePush(push, now, staged);
    return { first: true, value: op.value };
  }

  /** The value as this transaction has left it so far. */
  #stagedValue(key: string, now: number, staged: Staged): string | null {
    const earlier = staged.values.get(key);
    return earlier === undefined ? this.#readValue(storedKey(VALUE, key), now) : earlier.value;
  }

  #stageValue(
    { key, value, ttlMs }: { readonly key: string; readonly value: string; readonly ttlMs: number },
    now: number,
    staged: Staged,
  ): void {
    const earlier = staged.values.get(key);
    const stored = earlier?.stored ?? storedKey(VALUE, key);
    const expiredBefore = earlier === undefined ? expiryOf(this.#look(stored)) : earlier.expiredBefore;
    staged.values.set(key, { stored, expiredBefore, expiresAtMs: now + ttlMs, value });
  }

  #stageIncrement({ key, by, ttlMs }: CounterIncrement, now: number, staged: Staged): bigint {
    let counter = staged.counters.get(key);
    if (counter === undefined) {
      counter = this.#readCounter(key, now + ttlMs, now);
      staged.counters.set(key, counter);
    }
    counter.value = within64Bits(counter.value + by);
    return counter.value;
  }

  #stagePush({ key, value, max, ttlMs }: ListPush, now: number, staged: Staged): void {
    let list = staged.lists.get(key);
    if (list === undefined) {
      list = this.#readStoredList(key, now);
      staged.lists.set(key, list);
    }
    list.value = [value, ...list.value].slice(0, max);
    // Renewed ahead, so that most pushes leave the index by time as it is.
    if (list.expiresAtMs < now + ttlMs) list.expiresAtMs = now + ttlMs + Math.floor(ttlMs / LIST_RENEWED_AHEAD);
  }

  /** Reads nothing, so that a damaged entry cannot end it in the middle. */
  #writeStaged({ values, counters, lists }: Staged): void {
    for (const entry of values.values()) this.#writeEntry(entry, Buffer.from(entry.value));
    for (const entry of counters.values()) this.#writeEntry(entry, encodeCounter(entry.value));
    for (const entry of lists.values()) this.#writeEntry(entry, encodeList(entry.value));
  }

  /** An entry in memory that the next look overwrites. */
  #look(stored: Buffer): Buffer | undefined {
    return this.#env.getBinaryFast(stored);
  }

  #readValue(stored: Buffer, now: number): string | null {
    const entry = this.#look(stored);
    return entry === undefined || readExpiry(entry) <= now ? null : entry.toString('utf8', expiryBytes, entry.length);
  }

  /** A counter as it stands, or a new one that ends at `newExpiresAtMs`. */
  #readCounter(key: string, newExpiresAtMs: number, now: number): StagedEntry<bigint> {
    const stored = storedKey(COUNTER, key);
    const before = this.#look(stored);
    const isStanding = before !== undefined && readExpiry(before) > now;
    const value = isStanding ? readCount(before) : 0n;
    return {
      stored,
      expiredBefore: expiryOf(before),
      value,
      expiresAtMs: isStanding ? readExpiry(before) : newExpiresAtMs,
    };
  }

  #readStoredList(key: string, now: number): StagedEntry<readonly string[]> {
    const stored = storedKey(LIST, key);
    const entry = this.#look(stored);
    const value = entry === undefined || readExpiry(entry) <= now ? [] : decodeList(entry);
    const expiredBefore = expiryOf(entry);
    return { stored, expiredBefore, expiresAtMs: expiredBefore ?? now, value };
  }

  #writeEntry({ stored, expiredBefore, expiresAtMs }: StagedEntry<unknown>, payload: Buffer): void {
    this.#write(stored, expiredBefore, expiresAtMs, payload);
  }

  /** Puts the entry, and keeps the index by time in step. */
  #write(stored: Buffer, expiredBefore: number | null, expiresAtMs: number, payload: Buffer): void {
    const entry = Buffer.allocUnsafe(expiryBytes + payload.length);
    entry.writeDoubleBE(expiresAtMs);
    payload.copy(entry, expiryBytes);
    if (expiredBefore !== expiresAtMs) {
      if (expiredBefore !== null) this.#env.removeSync(expiryKey(expiredBefore, stored));
      this.#env.putSync(expiryKey(expiresAtMs, stored), EMPTY);
    }
    this.#env.putSync(stored, entry);
  }

  #remove(stored: Buffer): void {
    const entry = this.#env.get(stored);
    if (entry === undefined) return;
    this.#env.removeSync(expiryKey(readExpiry(entry), stored));
    this.#env.removeSync(stored);
  }

  #sweepBatch(nowMs: number, entriesMax: number): number {
    const start = Buffer.from([EXPIRY]);
    const end = expiryKey(nowMs, Buffer.from([0xff]));
    const due = [...this.#env.getKeys({ start, end, limit: entriesMax })];
    for (const key of due) {
      this.#env.removeSync(key);
      this.#env.removeSync(key.subarray(1 + expiryBytes));
    }
    return due.length;
  }
}
