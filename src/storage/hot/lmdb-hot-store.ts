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

/** Address space for the store, in bytes. The file takes only what is used. */
const mapBytes = 64 * 1_024 ** 3;
const readTransactionsMax = 512;
/** Entries that one transaction of `sweep` or `deletePrefixes` deletes: others wait for it. */
const sweepBatch = 1_000;

/** The kinds of entries: the first byte of every stored key. */
const VALUE = 0x76;
const COUNTER = 0x63;
const LIST = 0x6c;
/** Of the index by time: then 8 bytes of milliseconds, then the stored key that expires. */
const EXPIRY = 0x00;
const expiryBytes = 8;

type Env = RootDatabase<Buffer, Buffer>;

/** A counter that a transaction has read and not yet written. */
interface PendingCounter {
  readonly stored: Buffer;
  /** When the stored entry expires; null: there is none. */
  readonly expiredBefore: number | null;
  readonly expiresAtMs: number;
  value: bigint;
}
/** By key. */
type PendingCounters = Map<string, PendingCounter>;

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

  constructor(env: Env, nowMs: () => number) {
    this.#env = env;
    this.#nowMs = nowMs;
  }

  async applyOnce(op: ApplyOnce): Promise<ApplyOnceResult> {
    const [result] = await this.applyOnceAll([op]);
    if (result === undefined) throw new Error('A batch of one operation has one result');
    return result;
  }

  async applyOnceAll(ops: readonly ApplyOnce[]): Promise<readonly ApplyOnceResult[]> {
    checkBatch(ops.length);
    ops.forEach(checkApplyOnce);
    return this.#env.transaction(() => {
      const counters: PendingCounters = new Map();
      const results = ops.map((op) => this.#applyNow(op, this.#nowMs(), counters));
      for (const counter of counters.values()) this.#writeCounter(counter);
      return results;
    });
  }

  async get(key: string): Promise<string | null> {
    checkKey(key);
    this.#env.resetReadTxn();
    return this.#readValue(storedKey(VALUE, key), this.#nowMs());
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    checkEntry(key, ttlMs);
    checkValue(value);
    await this.#env.transaction(() => {
      const stored = storedKey(VALUE, key);
      this.#write(stored, expiryOf(this.#env.get(stored)), this.#nowMs() + ttlMs, Buffer.from(value));
    });
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
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
      const entry = this.#env.get(storedKey(COUNTER, key));
      return entry === undefined || readExpiry(entry) <= now ? 0n : entry.readBigInt64LE(expiryBytes);
    });
  }

  async addToCounters(increments: readonly CounterIncrement[]): Promise<readonly bigint[]> {
    checkBatch(increments.length);
    increments.forEach(checkIncrement);
    return this.#env.transaction(() => increments.map((increment) => this.#increment(increment, this.#nowMs())));
  }

  async addNumbered(addition: NumberedAddition): Promise<readonly bigint[] | null> {
    checkNumbered(addition);
    const { writer, number, ttlMs, increments } = addition;
    return this.#env.transaction(() => {
      const now = this.#nowMs();
      const stored = storedKey(VALUE, numberedKey(writer));
      const known = readNumbered(this.#readValue(stored, now), number);
      if (known !== undefined) return known;
      const values = increments.map((increment) => this.#increment(increment, now));
      const kept = Buffer.from(formatNumbered(number, values));
      this.#write(stored, expiryOf(this.#env.get(stored)), now + ttlMs, kept);
      return values;
    });
  }

  async readList(key: string): Promise<readonly string[]> {
    return this.readListNow(key);
  }

  readListNow(key: string): readonly string[] {
    checkKey(key);
    this.#env.resetReadTxn();
    const entry = this.#env.get(storedKey(LIST, key));
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
    await this.#env.flushed;
  }

  async ping(): Promise<void> {
    this.#env.get(storedKey(VALUE, 'ping'));
  }

  async close(): Promise<void> {
    await this.#env.close();
  }

  /** Counters are added up in `counters`, for one write of each at the end of the transaction: claims of a batch add to the same ones. */
  #applyNow(op: ApplyOnce, now: number, counters: PendingCounters): ApplyOnceResult {
    const stored = storedKey(VALUE, op.key);
    const before = this.#env.get(stored);
    if (before !== undefined && readExpiry(before) > now)
      return { first: false, value: before.toString('utf8', expiryBytes) };
    this.#write(stored, expiryOf(before), now + op.ttlMs, Buffer.from(op.value));
    for (const { key, by, ttlMs } of op.increments ?? []) {
      const counter = counters.get(key) ?? this.#readCounter(key, now + ttlMs, now);
      counter.value = within64Bits(counter.value + by);
      counters.set(key, counter);
    }
    for (const push of op.pushes ?? []) this.#push(push, now);
    return { first: true, value: op.value };
  }

  #readValue(stored: Buffer, now: number): string | null {
    const entry = this.#env.get(stored);
    return entry === undefined || readExpiry(entry) <= now ? null : entry.toString('utf8', expiryBytes);
  }

  #increment({ key, by, ttlMs }: CounterIncrement, now: number): bigint {
    const counter = this.#readCounter(key, now + ttlMs, now);
    counter.value = within64Bits(counter.value + by);
    this.#writeCounter(counter);
    return counter.value;
  }

  /** A counter as it stands, or a new one that ends at `newExpiresAtMs`. */
  #readCounter(key: string, newExpiresAtMs: number, now: number): PendingCounter {
    const stored = storedKey(COUNTER, key);
    const before = this.#env.get(stored);
    const isStanding = before !== undefined && readExpiry(before) > now;
    const value = isStanding ? before.readBigInt64LE(expiryBytes) : 0n;
    return {
      stored,
      expiredBefore: expiryOf(before),
      value,
      expiresAtMs: isStanding ? readExpiry(before) : newExpiresAtMs,
    };
  }

  #writeCounter({ stored, expiredBefore, value, expiresAtMs }: PendingCounter): void {
    const payload = Buffer.allocUnsafe(8);
    payload.writeBigInt64LE(value);
    this.#write(stored, expiredBefore, expiresAtMs, payload);
  }

  #push({ key, value, max, ttlMs }: ListPush, now: number): void {
    const stored = storedKey(LIST, key);
    const entry = this.#env.get(stored);
    const standing = entry === undefined || readExpiry(entry) <= now ? [] : decodeList(entry);
    this.#write(stored, expiryOf(entry), now + ttlMs, encodeList([value, ...standing].slice(0, max)));
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

const EMPTY = Buffer.alloc(0);
const COUNTER_MAX = 2n ** 63n - 1n;
const COUNTER_MIN = -(2n ** 63n);

function storedKey(kind: number, key: string): Buffer {
  const bytes = Buffer.allocUnsafe(1 + Buffer.byteLength(key));
  bytes[0] = kind;
  bytes.write(key, 1);
  return bytes;
}

/** Positive doubles sort as their big-endian bytes do. */
function expiryKey(expiresAtMs: number, stored: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(1 + expiryBytes + stored.length);
  bytes[0] = EXPIRY;
  bytes.writeDoubleBE(expiresAtMs, 1);
  stored.copy(bytes, 1 + expiryBytes);
  return bytes;
}

/** The value, or the end of 64 bits that it is beyond. */
function within64Bits(value: bigint): bigint {
  const wrapped = BigInt.asIntN(64, value);
  if (wrapped === value) return value;
  return value > 0n ? COUNTER_MAX : COUNTER_MIN;
}

function readExpiry(entry: Buffer): number {
  return entry.readDoubleBE(0);
}

function expiryOf(entry: Buffer | undefined): number | null {
  return entry === undefined ? null : readExpiry(entry);
}

function encodeList(values: readonly string[]): Buffer {
  const parts = values.flatMap((value) => {
    const bytes = Buffer.from(value);
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(parts);
}

function decodeList(entry: Buffer): string[] {
  const values: string[] = [];
  for (let at = expiryBytes; at < entry.length; ) {
    const length = entry.readUInt32LE(at);
    values.push(entry.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return values;
}
