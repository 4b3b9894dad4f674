import type { Log } from '../../domain/log/log.ts';
import { type Later, laterThanArrived, withinTime } from '../../domain/time/time-limit.ts';
import { RedisConnection, type RedisScript, type ScriptCall } from '../hot/redis-connection.ts';
import { defineScript } from '../hot/redis-connection.ts';
import { type CopiedPart, joinParts, type SpoolCopies, type TakenFile } from './spool-copies.ts';

/** Options of copies in a Redis. */
export interface RedisSpoolCopiesOptions {
  readonly url: string;
  readonly log: Log;
  /** The name of this machine's spool. */
  readonly machine: string;
  /** How many replicas must have what is written. */
  readonly replicas: number;
  /** Of every key; without braces. */
  readonly keyPrefix?: string;
  /** How long a machine may be silent before its files are taken over. */
  readonly lostAfterMs?: number;
  readonly later?: Later;
}

/** An event is refused when its copy takes longer. */
const WAIT_MS = 2_000;
const LOST_AFTER_MS = 60_000;
/** An insert ends within a minute, or its connection is broken off. Nobody takes its files in this time. */
const INSERT_MS = 90_000;
/** Copies, and marks of files that were taken over, outlive a machine that is down. */
const LIFE_MS = 30 * 86_400_000;
const FILES_AT_ONCE = 200;

/** The clock of Redis, in milliseconds. */
const NOW = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)`;

/**
 * KEYS: the file. ARGV: this machine, part, offset, bytes, life. Returns 0 when another machine owns the file, or has owned it: what was taken
 * back is read once, and a part that came after that would be lost with the file.
 */
const APPEND = defineScript(`
local known = redis.call('HMGET', KEYS[1], 'own', 'moved')
if known[1] and (known[1] ~= ARGV[1] or known[2]) then return 0 end
if not known[1] then
  redis.call('HSET', KEYS[1], 'own', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3] .. ':' .. ARGV[4])
return 1`);

/** KEYS: the file. ARGV: this machine, 1 with a new content, the content. Returns 0 when another machine owns the file. */
const COMPLETE = defineScript(`
local known = redis.call('HMGET', KEYS[1], 'own', 'moved')
if not known[1] then return 1 end
if known[1] ~= ARGV[1] then return 0 end
if ARGV[2] == '1' then
  local life = redis.call('PTTL', KEYS[1])
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'own', known[1], '0', '0:' .. ARGV[3])
  if known[2] then redis.call('HSET', KEYS[1], 'moved', '1') end
  redis.call('PEXPIRE', KEYS[1], life)
end
redis.call('HSET', KEYS[1], 'counted', '1')
return 1`);

/** KEYS: the file. ARGV: this machine, how long nobody else may take the file. Returns 0 when another machine owns it, or it is shipped. */
const HOLD = defineScript(`${NOW}
local known = redis.call('HMGET', KEYS[1], 'own', 'gone')
if not known[1] then return 1 end
if known[1] ~= ARGV[1] or known[2] then return 0 end
redis.call('HSET', KEYS[1], 'held', ms + tonumber(ARGV[2]))
return 1`);

/**
 * KEYS: the file. ARGV: the lost machine, this machine, life. A file whose first part did not come yet is closed: its writer gets 0 for it.
 * Returns 'taken'; 'own' for one that was this machine's before, and has events; 'held' while it may be in an insert; 'none' for any other.
 */
const TAKE = defineScript(`${NOW}
local known = redis.call('HMGET', KEYS[1], 'own', 'gone', 'held')
if known[1] == ARGV[2] and not known[2] then return 'own' end
if known[1] == ARGV[1] then
  if known[3] and tonumber(known[3]) > ms and not known[2] then return 'held' end
  redis.call('HSET', KEYS[1], 'own', ARGV[2])
  if known[2] then return 'none' end
  redis.call('HSET', KEYS[1], 'taken', '1', 'moved', '1')
  return 'taken'
end
if not known[1] then
  redis.call('HSET', KEYS[1], 'own', ARGV[2], 'moved', '1', 'gone', '1')
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 'none'`);

/** KEYS: the file. ARGV: this machine. */
const RETAIN = defineScript(`
if redis.call('HGET', KEYS[1], 'own') == ARGV[1] then redis.call('HDEL', KEYS[1], 'taken') end
return 1`);

/** KEYS: the file. ARGV: this machine, life. Of a file that was ever taken over a mark stays: the others may come back with it. */
const DROP = defineScript(`
local known = redis.call('HMGET', KEYS[1], 'own', 'moved')
if known[1] ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
if known[2] then
  redis.call('HSET', KEYS[1], 'own', ARGV[1], 'moved', '1', 'gone', '1')
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1`);

/** KEYS: when each machine said last that it is alive. ARGV: this machine, how long one may be silent. Returns the silent ones. */
const BEAT = defineScript(`${NOW}
redis.call('ZADD', KEYS[1], ms, ARGV[1])
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ms - tonumber(ARGV[2]))`);

const NAMES_OF_STATE = new Set(['own', 'moved', 'taken', 'held', 'counted', 'gone']);

/** Connects to the Redis of a cluster of nodes, over a connection of its own: what counts events does not wait behind copies. */
export function openRedisSpoolCopies(options: RedisSpoolCopiesOptions): SpoolCopies {
  return new RedisSpoolCopies(options);
}

class RedisSpoolCopies implements SpoolCopies {
  readonly #options: RedisSpoolCopiesOptions;
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  constructor(options: RedisSpoolCopiesOptions) {
    this.#options = options;
    this.#prefix = options.keyPrefix ?? 'placard';
    const { log } = options;
    this.#redis = new RedisConnection(options.url, (error) => log.event('hot_store.connection_lost', { err: error }));
  }

  async append({ file, part, offset, bytes }: CopiedPart): Promise<boolean> {
    const { machine, later = laterThanArrived } = this.#options;
    const write = async (): Promise<boolean> => {
      // A file is found by its name: of one that nobody finds, nothing is acknowledged.
      if (part === 0) await this.#written((pipeline) => pipeline.sadd(this.#filesOf(machine), file));
      const call = { keys: [this.#keyOf(file)], args: [machine, part, offset, bytes, LIFE_MS] };
      return (await this.#run(APPEND, call)) === 1;
    };
    return withinTime(write(), WAIT_MS, later);
  }

  async complete(file: string, content: Buffer | null): Promise<boolean> {
    const args = [this.#options.machine, content === null ? 0 : 1, content ?? ''];
    return (await this.#run(COMPLETE, { keys: [this.#keyOf(file)], args })) === 1;
  }

  async findLost(files: readonly string[]): Promise<ReadonlySet<string>> {
    const { machine } = this.#options;
    const lost = new Set<string>();
    await this.#each(files, async (file) => {
      const [owner, gone] = await this.#redis.client.hmget(this.#keyOf(file), 'own', 'gone');
      if (typeof owner === 'string' && (owner !== machine || gone !== null)) lost.add(file);
    });
    return lost;
  }

  async hold(files: readonly string[]): Promise<ReadonlySet<string>> {
    const lost = new Set<string>();
    await this.#each(files, async (file) => {
      const call = { keys: [this.#keyOf(file)], args: [this.#options.machine, INSERT_MS] };
      if ((await this.#redis.run(HOLD, call)) !== 1) lost.add(file);
    });
    return lost;
  }

  async drop(files: readonly string[]): Promise<void> {
    const { machine } = this.#options;
    await this.#each(files, async (file) => {
      await this.#redis.run(DROP, { keys: [this.#keyOf(file)], args: [machine, LIFE_MS] });
      await this.#redis.client.srem(this.#filesOf(machine), file);
    });
  }

  async beat(): Promise<readonly string[]> {
    const { machine, lostAfterMs = LOST_AFTER_MS } = this.#options;
    return (await this.#redis.run(BEAT, { keys: [this.#aliveKey()], args: [machine, lostAfterMs] })) as string[];
  }

  async listFiles(lost: string): Promise<readonly string[]> {
    const files = await this.#redis.client.smembers(this.#filesOf(lost));
    if (files.length === 0) await this.#redis.client.zrem(this.#aliveKey(), lost);
    return files;
  }

  async acquire(lost: string, files: readonly string[]): Promise<number> {
    const { machine } = this.#options;
    let taken = 0;
    await this.#each(files, async (file) => {
      // Known as this machine's before it is: when this machine is lost in between, the next one finds it.
      await this.#redis.client.sadd(this.#filesOf(machine), file);
      await this.#redis.client.sadd(this.#takenKey(), file);
      const result = await this.#run(TAKE, { keys: [this.#keyOf(file)], args: [lost, machine, LIFE_MS] });
      if (result === 'own') return;
      if (result === 'held') {
        await this.#redis.client.srem(this.#filesOf(machine), file);
        return;
      }
      if (result === 'taken') taken += 1;
      else await this.#redis.client.srem(this.#filesOf(machine), file);
      await this.#redis.client.srem(this.#filesOf(lost), file);
    });
    return taken;
  }

  listTaken(): Promise<readonly string[]> {
    return this.#redis.client.smembers(this.#takenKey());
  }

  async readTaken(file: string): Promise<TakenFile | null> {
    const fields = await this.#redis.client.hgetallBuffer(this.#keyOf(file));
    if (fields['own']?.toString() !== this.#options.machine || fields['taken'] === undefined) {
      await this.#redis.client.srem(this.#takenKey(), file);
      return null;
    }
    const parts = Object.entries(fields).flatMap(([name, value]) =>
      NAMES_OF_STATE.has(name) ? [] : [partOf(name, value)],
    );
    return { file, bytes: joinParts(parts), isCounted: fields['counted'] !== undefined };
  }

  async retain(file: string): Promise<void> {
    await this.#run(RETAIN, { keys: [this.#keyOf(file)], args: [this.#options.machine] });
    await this.#redis.client.srem(this.#takenKey(), file);
  }

  async isRetained(file: string): Promise<boolean> {
    const [owner, ...others] = await this.#redis.client.hmget(this.#keyOf(file), 'own', 'taken', 'gone');
    return owner === this.#options.machine && others.every((one) => one === null);
  }

  async close(): Promise<void> {
    await this.#redis.close();
  }

  /** Runs a script; resolves when the replicas have what it wrote. */
  async #run(script: RedisScript, { keys, args }: CopyCall): Promise<unknown> {
    if (this.#options.replicas === 0) return this.#redis.run(script, { keys, args } as ScriptCall);
    try {
      return await this.#written((pipeline) => pipeline.evalsha(script.sha, keys.length, ...keys, ...args));
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.#written((pipeline) => pipeline.eval(script.lua, keys.length, ...keys, ...args));
    }
  }

  /** The result of a command, when as many replicas as wanted have it. */
  async #written(add: (pipeline: Pipeline) => unknown): Promise<unknown> {
    const { replicas } = this.#options;
    const pipeline = this.#redis.client.pipeline();
    add(pipeline);
    if (replicas > 0) pipeline.wait(replicas, WAIT_MS);
    const [done, waited] = (await pipeline.exec()) ?? [];
    if (done?.[0]) throw done[0];
    if (waited?.[0]) throw waited[0];
    if (replicas > 0 && Number(waited?.[1] ?? 0) < replicas)
      throw new Error(`Only ${String(waited?.[1])} of ${replicas} replicas of Redis have the event`);
    return done?.[1];
  }

  async #each(files: readonly string[], work: (file: string) => Promise<void>): Promise<void> {
    for (let from = 0; from < files.length; from += FILES_AT_ONCE)
      await Promise.all(files.slice(from, from + FILES_AT_ONCE).map(work));
  }

  #keyOf(file: string): string {
    return `${this.#prefix}{f${file}}copy`;
  }

  #filesOf(machine: string): string {
    return `${this.#prefix}{m${machine}}copies`;
  }

  #takenKey(): string {
    return `${this.#prefix}{m${this.#options.machine}}taken`;
  }

  #aliveKey(): string {
    return `${this.#prefix}{machines}alive`;
  }
}

type Pipeline = ReturnType<RedisConnection['client']['pipeline']>;

/** As {@link ScriptCall}, with bytes. */
interface CopyCall {
  readonly keys: readonly string[];
  readonly args: readonly (string | number | Buffer)[];
}

function partOf(name: string, value: Buffer): Omit<CopiedPart, 'file'> {
  const colon = value.indexOf(0x3a);
  return { part: Number(name), offset: Number(value.toString('latin1', 0, colon)), bytes: value.subarray(colon + 1) };
}
