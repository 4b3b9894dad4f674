import { mkdirSync } from 'node:fs';
import { open } from 'lmdb';
import type { EventLine, LineBatch } from './event-counts.ts';
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
  NumberedAddition,
  SweepStep,
} from './hot-store.ts';
import { JointTransactions } from './joint-transactions.ts';
import { LmdbChanges, readValue } from './lmdb-changes.ts';
import type { LmdbEnv } from './lmdb-changes.ts';
import { COUNTER, LIST, storedKey, VALUE } from './lmdb-entries.ts';
import { LmdbEventCounts } from './lmdb-event-counts.ts';
import { LmdbSweep } from './lmdb-sweep.ts';
import { LmdbUserEntries } from './lmdb-user-entries.ts';
import { OldUserEntries } from './old-user-entries.ts';
import { memberPrefixesOf } from './user-key.ts';

/** Address space for the store, in bytes. The file takes only what is used. */
const mapBytes = 64 * 1_024 ** 3;
const readTransactionsMax = 512;
/** Entries that one transaction of `deletePrefixes` deletes: others wait for it. */
const deletedTogether = 1_000;

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
  readonly #env: LmdbEnv;
  readonly #nowMs: () => number;
  readonly #joint: JointTransactions<LmdbChanges>;
  readonly #events: LmdbEventCounts;
  readonly #sweep: LmdbSweep;
  readonly #users: LmdbUserEntries;

  constructor(env: LmdbEnv, nowMs: () => number) {
    this.#env = env;
    this.#nowMs = nowMs;
    const old = new OldUserEntries(env);
    this.#users = new LmdbUserEntries(env, old);
    this.#joint = new JointTransactions<LmdbChanges>({
      transaction: (work) => env.transaction(work),
      begin: () => new LmdbChanges(env, nowMs(), old),
      write: (changes) => changes.write(),
    });
    this.#events = new LmdbEventCounts({ env, nowMs, joint: this.#joint });
    this.#sweep = new LmdbSweep(env, this.#joint);
  }

  countLines(batch: LineBatch): Promise<readonly boolean[]> {
    return this.#events.countLines(batch);
  }

  countRest(
    file: { readonly file: string; readonly to: number },
    readLines: (from: number) => readonly EventLine[],
  ): Promise<ReadonlySet<number>> {
    return this.#events.countRest(file, readLines);
  }

  forgetFile(file: string): Promise<void> {
    return this.#events.forgetFile(file);
  }

  isCounted(key: string): Promise<boolean> {
    return this.#events.isCounted(key);
  }

  async applyOnce(op: ApplyOnce): Promise<ApplyOnceResult> {
    const [result] = await this.applyOnceAll([op]);
    if (result === undefined) throw new Error('A batch of one operation has one result');
    return result;
  }

  async applyOnceAll(ops: readonly ApplyOnce[]): Promise<readonly ApplyOnceResult[]> {
    checkBatch(ops.length);
    ops.forEach(checkApplyOnce);
    return this.#joint.change(ops.length, (changes) => ops.map((op) => applyOnceIn(changes, op)));
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
    return keys.map((key) => readValue(this.#env, key, now));
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    checkEntry(key, ttlMs);
    checkValue(value);
    await this.#joint.change(1, (changes) => changes.setValue({ key, value, ttlMs }));
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    await this.#joint.finished();
    await this.#env.transaction(() => {
      for (const kind of [VALUE, COUNTER, LIST]) this.#env.removeSync(storedKey(kind, key));
      for (const kind of ['counter', 'list'] as const) this.#users.deleteMember(kind, key, this.#nowMs());
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
      for (let found = deletedTogether; found === deletedTogether; deleted += found) {
        found = await this.#env.transaction(() => {
          const keys = [...this.#env.getKeys({ start, end, limit: deletedTogether })];
          for (const key of keys) this.#env.removeSync(key);
          return keys.length;
        });
      }
    }
    // Members last: a record goes when it is empty and nothing stands beside it.
    for (const members of memberPrefixesOf(prefix)) deleted += await this.#users.deleteMembers(members, this.#nowMs());
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
      return this.#users.readCounter(key, now);
    });
  }

  async addToCounters(increments: readonly CounterIncrement[]): Promise<readonly bigint[]> {
    checkBatch(increments.length);
    increments.forEach(checkIncrement);
    return this.#joint.change(1, (changes) => increments.map((increment) => changes.increment(increment)));
  }

  async addNumbered(addition: NumberedAddition): Promise<readonly bigint[] | null> {
    checkNumbered(addition);
    const { writer, number, ttlMs, increments } = addition;
    const key = numberedKey(writer);
    return this.#joint.change(1, (changes) => {
      const known = readNumbered(changes.valueOf(key), number);
      if (known !== undefined) return known;
      const values = increments.map((increment) => changes.increment(increment));
      changes.setValue({ key, value: formatNumbered(number, values), ttlMs });
      return values;
    });
  }

  async readList(key: string): Promise<readonly string[]> {
    return this.readListNow(key);
  }

  readListNow(key: string): readonly string[] {
    checkKey(key);
    this.#env.resetReadTxn();
    return this.#users.readList(key, this.#nowMs());
  }

  async sweep(nowMs: number, entriesMax: number): Promise<SweepStep> {
    return this.#sweep.step(nowMs, entriesMax);
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
}

function applyOnceIn(changes: LmdbChanges, op: ApplyOnce): ApplyOnceResult {
  const before = changes.valueOf(op.key);
  if (before !== null) return { first: false, value: before };
  changes.setValue(op);
  for (const increment of op.increments ?? []) changes.increment(increment);
  for (const push of op.pushes ?? []) changes.push(push);
  return { first: true, value: op.value };
}
