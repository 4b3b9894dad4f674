import { randomBytes } from 'node:crypto';
import type { EventLine, LineBatch } from './event-counts.ts';
import {
  checkApplyOnce,
  checkBatch,
  checkEntry,
  checkIncrement,
  checkKey,
  checkNumbered,
  checkValue,
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
import { HotStoreLostError } from './lost-shards.ts';
import type { RecoverableShards } from './recoverable-shards.ts';
import type { RedisConnection } from './redis-connection.ts';
import { countersOf, deleteScanned, effectsByShard, effectsOf, groupByShard } from './redis-effects.ts';
import { RedisEventCounts } from './redis-event-counts.ts';
import { eventShardsOf, openRedis } from './redis-opening.ts';
import type { OpenLayout, OpenRedis, RedisHotStoreOptions } from './redis-opening.ts';
import { readRedisHealth, type RedisHealth } from './redis-health.ts';
import { openRecoverableShards } from './redis-recovery.ts';
import {
  ADD_NUMBERED,
  ADD_TO_COUNTERS,
  APPLY_MARKED,
  APPLY_ONCE,
  BEGIN_ONCE,
  closedValue,
  END_ONCE,
} from './redis-scripts.ts';
import { UNGUARDED } from './redis-epochs.ts';
import type { ShardedNames } from './redis-shards.ts';

/** Operations that are sent at once, prefixes of one pass, and keys of one step of it. */
const PAGE = 1_000;
/** How long an operation over several shards can be finished by its repeat, and how much longer its marks are kept. */
const OPEN_MS = 86_400_000;
const MARK_MORE_MS = 3_600_000;
/** Opens the store on a Redis that several machines share. Expiry goes by the clock of Redis. Connects by itself, again and again. */
export function openRedisHotStore(options: RedisHotStoreOptions): HotStore {
  return new RedisHotStore(openRedis(options));
}

/** Kinds of counters that are rebuilt after a loss, by their first letters: nothing is read or added before that. */
const REBUILT = /^(?:[dfrx]|ob)\//;

/** The shards of a store that can be rebuilt; null for one that this process does not share with other machines. */
export function recoverableShardsOf(hot: HotStore): RecoverableShards | null {
  return hot instanceof RedisHotStore ? hot.recoverable : null;
}

/** Reads what the servers of a store say of their memory and disk; null for the ledger. */
export function redisHealthOf(hot: HotStore): (() => Promise<RedisHealth[]>) | null {
  return hot instanceof RedisHotStore ? hot.readHealth : null;
}

class RedisHotStore implements HotStore {
  readonly #redis: RedisConnection;
  readonly #layout: () => Promise<OpenLayout>;
  readonly #events: RedisEventCounts;
  readonly recoverable: RecoverableShards;
  readonly readHealth: () => Promise<RedisHealth[]>;

  constructor(redis: OpenRedis) {
    this.#redis = redis.connection;
    this.#layout = redis.layout;
    this.recoverable = openRecoverableShards(redis);
    this.readHealth = () => readRedisHealth(redis.connection);
    this.#events = new RedisEventCounts(eventShardsOf(redis));
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

  async forgetFile(file: string): Promise<void> {
    // Until this machine's counted files are recounted, their progress says what was counted after the loss.
    if (this.recoverable.isRecounted()) await this.#events.forgetFile(file);
  }

  isCounted(key: string): Promise<boolean> {
    return this.#events.isCounted(key);
  }

  async applyOnce(op: ApplyOnce): Promise<ApplyOnceResult> {
    const [result] = await this.applyOnceAll([op]);
    if (result === undefined) throw new Error('Redis gave no result');
    return result;
  }

  async applyOnceAll(ops: readonly ApplyOnce[]): Promise<readonly ApplyOnceResult[]> {
    checkBatch(ops.length);
    ops.forEach(checkApplyOnce);
    const { names } = await this.#layout();
    const results: ApplyOnceResult[] = [];
    for (let from = 0; from < ops.length; from += PAGE)
      results.push(...(await Promise.all(ops.slice(from, from + PAGE).map((op) => this.#applyOnce(op, names)))));
    return results;
  }

  async #applyOnce(op: ApplyOnce, names: ShardedNames): Promise<ApplyOnceResult> {
    const { increments = [], pushes = [] } = op;
    const shard = names.shardOf(op.key);
    const isInOneShard = [...increments, ...pushes].every(({ key }) => names.shardOf(key) === shard);
    if (!isInOneShard) return this.#applyOverShards(op, names);
    const effects = effectsOf(increments, pushes, names);
    const keys = [names.nameOf('v', op.key), ...effects.keys];
    const args = [op.value, op.ttlMs, ...effects.args];
    const [first, value] = (await this.#redis.run(APPLY_ONCE, { keys, args })) as [number, string];
    return { first: first === 1, value };
  }

  /** Sets the value as open, applies the effects in each shard under an id, closes the value. The same value again finishes what is open. */
  async #applyOverShards(op: ApplyOnce, names: ShardedNames): Promise<ApplyOnceResult> {
    const keys = [names.nameOf('v', op.key)];
    const args = [op.value, op.ttlMs, randomBytes(9).toString('base64url')];
    const begun = (await this.#redis.run(BEGIN_ONCE, { keys, args })) as [number, string, string];
    const [first, value, id] = begun;
    if (id !== '') {
      const lifeMs = Math.min(op.ttlMs, OPEN_MS) + MARK_MORE_MS;
      await Promise.all(
        effectsByShard(op, names).map(([shard, effects]) => {
          const marked = [`${names.tagOf(shard)}o:${id}`, ...effects.keys];
          return this.#redis.run(APPLY_MARKED, { keys: marked, args: [lifeMs, ...effects.args] });
        }),
      );
      await this.#redis.run(END_ONCE, { keys, args: [id] });
    }
    return { first: first === 1, value };
  }

  async get(key: string): Promise<string | null> {
    checkKey(key);
    const { names } = await this.#layout();
    return closedValue(await this.#redis.client.get(names.nameOf('v', key)));
  }

  async readValues(keys: readonly string[]): Promise<readonly (string | null)[]> {
    return (await this.#readAll('v', keys)).map(closedValue);
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    checkEntry(key, ttlMs);
    checkValue(value);
    const { names } = await this.#layout();
    await this.#redis.client.set(names.nameOf('v', key), value, 'PX', ttlMs);
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    const { names } = await this.#layout();
    await this.#redis.client.del(names.nameOf('v', key), names.nameOf('c', key), names.nameOf('l', key));
  }

  async deletePrefixes(prefixes: readonly string[]): Promise<readonly number[]> {
    prefixes.forEach(checkKey);
    const { names } = await this.#layout();
    const deleted: number[] = [];
    for (let from = 0; from < prefixes.length; from += PAGE) {
      const part = prefixes.slice(from, from + PAGE);
      const sums = part.map(() => 0);
      for (const master of this.#redis.masters()) await deleteScanned(master, { prefixes: part, names, sums });
      deleted.push(...sums);
    }
    return deleted;
  }

  async readCounters(keys: readonly string[]): Promise<readonly bigint[]> {
    const lost = new Set<number>();
    const found = await this.#readAll('c', keys, lost);
    const values = found.map((text) => BigInt(text ?? '0'));
    if (lost.size > 0) throw new HotStoreLostError(values.map((value, at) => (lost.has(at) ? null : value)));
    return values;
  }

  readCountersNow(): null {
    return null;
  }

  async addToCounters(increments: readonly CounterIncrement[]): Promise<readonly bigint[]> {
    checkBatch(increments.length);
    increments.forEach(checkIncrement);
    const { names, epochs } = await this.#layout();
    const values: bigint[] = increments.map(() => 0n);
    await Promise.all(
      groupByShard(increments, names).map(async ([shard, indexes]) => {
        const part = indexes.map((index) => increments[index] as CounterIncrement);
        const { keys, args } = countersOf(part, names);
        const call = part.some(({ key }) => REBUILT.test(key))
          ? epochs.serving.run(ADD_TO_COUNTERS, shard, { keys, args })
          : this.#redis.run(ADD_TO_COUNTERS, { keys, args: [...args, ...UNGUARDED] });
        const sums = (await call) as string[];
        for (const [at, index] of indexes.entries()) values[index] = BigInt(sums[at] ?? '0');
      }),
    );
    return values;
  }

  async addNumbered(addition: NumberedAddition): Promise<readonly bigint[] | null> {
    checkNumbered(addition);
    const { names } = await this.#layout();
    const { writer, increments } = addition;
    const home = names.shardOf(numberedKey(writer));
    const shards = new Map(groupByShard(increments, names));
    const values: bigint[] = increments.map(() => 0n);
    // The shard of the writer comes first: it knows which numbers were cancelled.
    const ordered = [home, ...[...shards.keys()].filter((shard) => shard !== home)];
    for (const shard of ordered) {
      const indexes = shards.get(shard) ?? [];
      const part = indexes.map((index) => increments[index] as CounterIncrement);
      const known = await this.#addNumberedIn(shard, { ...addition, increments: part }, names);
      if (known === null) return null;
      if (shard === home && (known.length !== part.length || increments.length === 0)) return known;
      for (const [at, index] of indexes.entries()) values[index] = known[at] ?? 0n;
    }
    return values;
  }

  async #addNumberedIn(
    shard: number,
    { writer, number, ttlMs, increments }: NumberedAddition,
    names: ShardedNames,
  ): Promise<readonly bigint[] | null> {
    const counters = countersOf(increments, names);
    const keys = [`${names.tagOf(shard)}v:${numberedKey(writer)}`, ...counters.keys];
    const args = [number, ttlMs, ...counters.args];
    const kept = (await this.#redis.run(ADD_NUMBERED, { keys, args })) as string;
    return readNumbered(kept, number) ?? null;
  }

  async readList(key: string): Promise<readonly string[]> {
    checkKey(key);
    const { names } = await this.#layout();
    return this.#redis.client.lrange(names.nameOf('l', key), 0, -1);
  }

  readListNow(): null {
    return null;
  }

  async sweep(): Promise<SweepStep> {
    return { seen: 0, entries: 0 };
  }

  /** Every call above returns after Redis has responded. */
  async flushed(): Promise<void> {
    await this.ping();
  }

  async ping(): Promise<void> {
    await this.#redis.ping();
  }

  async close(): Promise<void> {
    await this.#redis.close();
  }

  /** @param lost receives the indexes of counters whose shard has lost them */
  async #readAll(kind: 'v' | 'c', keys: readonly string[], lost?: Set<number>): Promise<readonly (string | null)[]> {
    checkBatch(keys.length);
    keys.forEach(checkKey);
    if (keys.length === 0) return [];
    const { names, epochs } = await this.#layout();
    const values: (string | null)[] = keys.map(() => null);
    const entries = keys.map((key) => ({ key }));
    await Promise.all(
      groupByShard(entries, names).map(async ([shard, indexes]) => {
        const stored = indexes.map((index) => names.nameOf(kind, keys[index] ?? ''));
        const isGuarded = epochs.isGuarded && lost !== undefined && indexes.some((at) => REBUILT.test(keys[at] ?? ''));
        const kept = [epochs.keyOf(shard), epochs.writesKeyOf(shard)];
        const [standing = null, writes = null, ...found] = await this.#redis.client.mget([...kept, ...stored]);
        const isLost = isGuarded && !epochs.isServing(shard, standing, writes);
        if (isLost) epochs.recordLoss();
        for (const [at, index] of indexes.entries()) {
          values[index] = found[at] ?? null;
          if (isLost && REBUILT.test(keys[index] ?? '')) lost.add(index);
        }
      }),
    );
    return values;
  }
}
