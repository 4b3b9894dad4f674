import { Redis } from 'ioredis';
import type { Log } from '../../domain/log/log.ts';
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
import type { ApplyOnce, ApplyOnceResult, CounterIncrement, HotStore, NumberedAddition } from './hot-store.ts';

/** Longest an operation may take before it fails, in milliseconds. */
const commandTimeoutMs = 5_000;
const connectTimeoutMs = 5_000;
const reconnectMsMax = 2_000;
/** Operations that are sent at once. */
const pipelineMax = 1_000;

/** A counter that would leave 64 bits stays at the end; nothing else that goes wrong is passed over. */
const ADD = `
local function add(key, by, ttl)
  local done = redis.pcall('INCRBY', key, by)
  if type(done) == 'table' and done.err then
    if not string.find(done.err, 'overflow', 1, true) then error(done.err) end
    local at_end = string.sub(by, 1, 1) == '-' and '-9223372036854775808' or '9223372036854775807'
    redis.call('SET', key, at_end, 'KEEPTTL')
  end
  if redis.call('PTTL', key) == -1 then redis.call('PEXPIRE', key, ttl) end
end`;

/**
 * KEYS: the value, then counters, then lists. ARGV: value, its time to live, number of counters, then by and time to live of each
 * counter, then value, most entries and time to live of each list.
 */
const APPLY_ONCE = `${ADD}
local standing = redis.call('GET', KEYS[1])
if standing then return {0, standing} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local counters = tonumber(ARGV[3])
local at = 4
for i = 2, 1 + counters do
  add(KEYS[i], ARGV[at], ARGV[at + 1])
  at = at + 2
end
for i = 2 + counters, #KEYS do
  redis.call('LPUSH', KEYS[i], ARGV[at])
  redis.call('LTRIM', KEYS[i], 0, tonumber(ARGV[at + 1]) - 1)
  redis.call('PEXPIRE', KEYS[i], ARGV[at + 2])
  at = at + 3
end
return {1, ARGV[1]}`;

/** Numbers of Lua are doubles: the new value is read back as text. */
const ADD_TO_COUNTERS = `${ADD}
local values = {}
for i = 1, #KEYS do
  add(KEYS[i], ARGV[2 * i - 1], ARGV[2 * i])
  values[i] = redis.call('GET', KEYS[i])
end
return values`;

/**
 * KEYS: the writer's newest addition, then counters. ARGV: number, its time to live, then by and time to live of each counter. Returns
 * the newest addition: its number and the values after it.
 */
const ADD_NUMBERED = `${ADD}
local kept = redis.call('GET', KEYS[1])
if kept and tonumber(string.match(kept, '^%d+')) >= tonumber(ARGV[1]) then return kept end
kept = ARGV[1]
for i = 2, #KEYS do
  add(KEYS[i], ARGV[2 * i - 1], ARGV[2 * i])
  kept = kept .. ' ' .. redis.call('GET', KEYS[i])
end
redis.call('SET', KEYS[1], kept, 'PX', ARGV[2])
return kept`;

/**
 * One step of a pass over all keys, which are looked at where they are. ARGV: cursor, pattern, how many keys, the bytes before a key
 * as callers name it, then prefixes. KEYS: only tells a cluster the node. Of prefixes there are many, of their lengths few.
 */
const DELETE_SCANNED = `
local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
local before = tonumber(ARGV[4])
local places, lengths, known, deleted = {}, {}, {}, {}
for i = 5, #ARGV do
  local prefix = ARGV[i]
  deleted[i - 4] = 0
  if not places[prefix] then places[prefix] = i - 4 end
  if not known[#prefix] then
    known[#prefix] = true
    lengths[#lengths + 1] = #prefix
  end
end
for _, key in ipairs(page[2]) do
  local place = nil
  for _, length in ipairs(lengths) do
    local found = places[string.sub(key, before + 1, before + length)]
    if found and (not place or found < place) then place = found end
  end
  if place then deleted[place] = deleted[place] + redis.call('DEL', key) end
end
return {page[1], deleted}`;

export interface RedisHotStoreOptions {
  /** `redis[s]://user:password@host:port/db` */
  readonly url: string;
  readonly log: Log;
  /** Of every key. All keys share one hash tag, so that scripts work on a cluster too (on one of its nodes). */
  readonly keyPrefix?: string;
}

/** Opens the store on a Redis that several machines share. Expiry goes by the clock of Redis. Connects by itself, again and again. */
export function openRedisHotStore(options: RedisHotStoreOptions): HotStore {
  const redis = new Redis(options.url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
    maxRetriesPerRequest: 2,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(reconnectMsMax, 50 * 2 ** Math.min(attempt, 10)),
  });
  redis.on('error', (error) => options.log.event('hot_store.connection_lost', { err: error }));
  return new RedisHotStore(redis, options.keyPrefix ?? '{placard}:');
}

class RedisHotStore implements HotStore {
  readonly #redis: Redis;
  readonly #prefix: string;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
    redis.defineCommand('placardApplyOnce', { lua: APPLY_ONCE });
    redis.defineCommand('placardDeleteScanned', { lua: DELETE_SCANNED });
    redis.defineCommand('placardAddToCounters', { lua: ADD_TO_COUNTERS });
    redis.defineCommand('placardAddNumbered', { lua: ADD_NUMBERED });
  }

  async applyOnce(op: ApplyOnce): Promise<ApplyOnceResult> {
    const [result] = await this.applyOnceAll([op]);
    if (result === undefined) throw new Error('Redis gave no result');
    return result;
  }

  async applyOnceAll(ops: readonly ApplyOnce[]): Promise<readonly ApplyOnceResult[]> {
    checkBatch(ops.length);
    ops.forEach(checkApplyOnce);
    const results: ApplyOnceResult[] = [];
    for (let from = 0; from < ops.length; from += pipelineMax) {
      const calls = ops.slice(from, from + pipelineMax).map((op) => this.#sendApplyOnce(op));
      for (const [first, value] of await Promise.all(calls)) results.push({ first: first === 1, value });
    }
    return results;
  }

  #sendApplyOnce(op: ApplyOnce): Promise<[number, string]> {
    const { increments = [], pushes = [] } = op;
    const keys = [this.#name('v', op.key)];
    const args: string[] = [op.value, String(op.ttlMs), String(increments.length)];
    for (const { key, by, ttlMs } of increments) {
      keys.push(this.#name('c', key));
      args.push(String(by), String(ttlMs));
    }
    for (const { key, value, max, ttlMs } of pushes) {
      keys.push(this.#name('l', key));
      args.push(value, String(max), String(ttlMs));
    }
    return this.#script('placardApplyOnce', keys, args) as Promise<[number, string]>;
  }

  get(key: string): Promise<string | null> {
    checkKey(key);
    return this.#redis.get(this.#name('v', key));
  }

  async readValues(keys: readonly string[]): Promise<readonly (string | null)[]> {
    checkBatch(keys.length);
    keys.forEach(checkKey);
    return keys.length === 0 ? [] : this.#redis.mget(keys.map((key) => this.#name('v', key)));
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    checkEntry(key, ttlMs);
    checkValue(value);
    await this.#redis.set(this.#name('v', key), value, 'PX', ttlMs);
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    await this.#redis.del(this.#name('v', key), this.#name('c', key), this.#name('l', key));
  }

  async deletePrefixes(prefixes: readonly string[]): Promise<readonly number[]> {
    prefixes.forEach(checkKey);
    const deleted: number[] = [];
    for (let from = 0; from < prefixes.length; from += pipelineMax)
      deleted.push(...(await this.#deleteScanned(prefixes.slice(from, from + pipelineMax))));
    return deleted;
  }

  /** One pass over all keys. */
  async #deleteScanned(prefixes: readonly string[]): Promise<number[]> {
    const deleted = prefixes.map(() => 0);
    const pattern = `${this.#prefix.replace(/[\\*?[\]]/g, '\\$&')}*`;
    const before = Buffer.byteLength(this.#name('v', ''));
    let cursor = '0';
    do {
      const args = [cursor, pattern, String(pipelineMax), String(before), ...prefixes];
      const step = await this.#script('placardDeleteScanned', [this.#prefix], args);
      const [next, found] = step as [string, readonly number[]];
      for (const [at, count] of found.entries()) deleted[at] = (deleted[at] ?? 0) + count;
      cursor = next;
    } while (cursor !== '0');
    return deleted;
  }

  async readCounters(keys: readonly string[]): Promise<readonly bigint[]> {
    checkBatch(keys.length);
    keys.forEach(checkKey);
    if (keys.length === 0) return [];
    const found = await this.#redis.mget(keys.map((key) => this.#name('c', key)));
    return found.map((text) => BigInt(text ?? '0'));
  }

  readCountersNow(): null {
    return null;
  }

  async addToCounters(increments: readonly CounterIncrement[]): Promise<readonly bigint[]> {
    checkBatch(increments.length);
    increments.forEach(checkIncrement);
    if (increments.length === 0) return [];
    const keys = increments.map(({ key }) => this.#name('c', key));
    const args = increments.flatMap(({ by, ttlMs }) => [String(by), String(ttlMs)]);
    const values = (await this.#script('placardAddToCounters', keys, args)) as string[];
    return values.map(BigInt);
  }

  async addNumbered(addition: NumberedAddition): Promise<readonly bigint[] | null> {
    checkNumbered(addition);
    const { writer, number, ttlMs, increments } = addition;
    const keys = [this.#name('v', numberedKey(writer)), ...increments.map(({ key }) => this.#name('c', key))];
    const args = [
      String(number),
      String(ttlMs),
      ...increments.flatMap(({ by, ttlMs: each }) => [String(by), String(each)]),
    ];
    const kept = (await this.#script('placardAddNumbered', keys, args)) as string;
    return readNumbered(kept, number) ?? null;
  }

  readList(key: string): Promise<readonly string[]> {
    checkKey(key);
    return this.#redis.lrange(this.#name('l', key), 0, -1);
  }

  readListNow(): null {
    return null;
  }

  async sweep(): Promise<number> {
    return 0;
  }

  /** Every call above returns after Redis has responded. */
  async flushed(): Promise<void> {
    await this.ping();
  }

  async ping(): Promise<void> {
    await this.#redis.ping();
  }

  async close(): Promise<void> {
    await this.#redis.quit().catch(() => this.#redis.disconnect());
  }

  #name(kind: 'v' | 'c' | 'l', key: string): string {
    return `${this.#prefix}${kind}:${key}`;
  }

  #script(
    name: 'placardApplyOnce' | 'placardAddToCounters' | 'placardAddNumbered' | 'placardDeleteScanned',
    keys: readonly string[],
    args: readonly string[],
  ): Promise<unknown> {
    const commands = this.#redis as unknown as Record<string, (...all: (string | number)[]) => Promise<unknown>>;
    const command = commands[name];
    if (command === undefined) throw new Error(`The script ${name} is not defined`);
    return command.call(this.#redis, keys.length, ...keys, ...args);
  }
}
