import type {
  ClaimReply,
  EventShards,
  FileDone,
  ShardClaim,
  ShardProgress,
  ShardStep,
  StepReply,
  StepState,
} from './event-shards.ts';
import type { CounterIncrement, ListPush } from './hot-store.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisEpochs, ShardGuard } from './redis-epochs.ts';
import { ADD_EVENTS, CLAIM_EVENTS, HAS_EVENT } from './redis-event-scripts.ts';
import type { RedisLayout } from './redis-layout.ts';
import type { ShardedNames } from './redis-shards.ts';

/** How long the progress of a file is kept from its beginning on, and after it may be forgotten. */
const PROGRESS_MS = 60 * 86_400_000;
const FORGOTTEN_MS = 600_000;
/** How late a call may begin a file in a shard: well within the time that a forgotten file is known. */
const LATE_MS = 240_000;
/** How often the clock of Redis is read. */
const CLOCK_MS = 30_000;
/** Events of one set in one step of a script: Lua passes a bounded number of arguments. */
const EVENTS_PER_SET_CALL = 500;

/** The clock of Redis, as this process last read it. */
export interface RedisClock {
  /** Milliseconds by the clock of Redis. */
  nowMs(): number;
}

/** Reads the clock of Redis, and again in the background while it is used. */
export async function openRedisClock({ client }: RedisConnection): Promise<RedisClock> {
  const read = async (): Promise<{ readonly redisMs: number; readonly atMs: number }> => {
    const atMs = performance.now();
    const [seconds, micros] = await client.time();
    return { redisMs: Number(seconds) * 1_000 + Number(micros) / 1_000, atMs };
  };
  let last = await read();
  let isReading = false;
  const renew = async (): Promise<void> => {
    isReading = true;
    try {
      last = await read();
    } catch {
      // The last one is good enough until the next call.
    } finally {
      isReading = false;
    }
  };
  return {
    nowMs: () => {
      const elapsedMs = performance.now() - last.atMs;
      if (elapsedMs > CLOCK_MS && !isReading) void renew();
      return last.redisMs + elapsedMs;
    },
  };
}

/** The shards of a Redis. */
export class RedisEventShards implements EventShards {
  readonly #redis: RedisConnection;
  readonly #names: ShardedNames;
  readonly #hasOldClaims: boolean;
  readonly #clock: RedisClock;
  readonly #counting: ShardGuard;
  readonly #serving: ShardGuard;

  /** @param guard of calls that count; default: of a process that counts events */
  constructor(
    redis: RedisConnection,
    layout: RedisLayout,
    { clock, epochs, guard }: { readonly clock: RedisClock; readonly epochs: RedisEpochs; readonly guard?: ShardGuard },
  ) {
    this.#redis = redis;
    this.#counting = guard ?? epochs.counting;
    this.#serving = epochs.serving;
    this.#names = layout.names;
    this.#hasOldClaims = layout.hasOldClaims;
    this.#clock = clock;
  }

  get shards(): number {
    return this.#names.shards;
  }

  shardOf(key: string): number {
    return this.#names.shardOf(key);
  }

  nowMs(): number {
    return Math.round(this.#clock.nowMs());
  }

  async claim(shard: number, step: ShardStep, claims: readonly ShardClaim[]): Promise<ClaimReply> {
    const keys = [this.#progressName(shard, step.file), this.#duplicatesName(shard, step.file)];
    const known = claims.filter(({ isDuplicate }) => isDuplicate).map(({ offset }) => `${offset} `);
    const args: (string | number)[] = [...stepArgs(step), known.join('')];
    for (const part of groupBySet(claims)) {
      keys.push(this.#setName(shard, part.set));
      args.push(part.ttlMs, part.members.length, ...part.members, ...part.offsets);
    }
    const reply = (await this.#counting.run(CLAIM_EVENTS, shard, { keys, args })) as [StepState, number, string];
    return { state: reply[0], at: reply[1], duplicates: readOffsets(reply[2]) };
  }

  async add(
    shard: number,
    step: ShardStep,
    { increments, pushes }: { readonly increments: readonly CounterIncrement[]; readonly pushes: readonly ListPush[] },
  ): Promise<StepReply> {
    const tag = this.#names.tagOf(shard);
    const keys = [this.#progressName(shard, step.file)];
    const args: (string | number)[] = [...stepArgs(step), increments.length];
    for (const { key, by, ttlMs } of increments) {
      keys.push(`${tag}c:${key}`);
      args.push(String(by), ttlMs);
    }
    for (const { key, value, max, ttlMs } of pushes) {
      keys.push(`${tag}l:${key}`);
      args.push(value, max, ttlMs);
    }
    const [state, at] = (await this.#counting.run(ADD_EVENTS, shard, { keys, args })) as [StepState, number];
    return { state, at };
  }

  async readProgress(file: string): Promise<readonly ShardProgress[]> {
    const { client } = this.#redis;
    return Promise.all(
      Array.from({ length: this.shards }, async (_none, shard) => {
        const [[claimed, added], duplicates] = await Promise.all([
          client.hmget(this.#progressName(shard, file), 'c', 'a'),
          client.get(this.#duplicatesName(shard, file)),
        ]);
        return {
          claimedTo: Number(claimed ?? 0),
          addedTo: Number(added ?? 0),
          duplicates: readOffsets(duplicates ?? ''),
        };
      }),
    );
  }

  async readDone(file: string): Promise<FileDone | null> {
    const [to, sum] = await this.#redis.client.hmget(this.#doneName(file), 't', 's');
    return to === null || to === undefined ? null : { to: Number(to), checkSum: Number(sum) };
  }

  async writeDone(file: string, { to, checkSum }: FileDone): Promise<void> {
    const name = this.#doneName(file);
    const { client } = this.#redis;
    await Promise.all([client.hset(name, 't', to, 's', checkSum), client.pexpire(name, PROGRESS_MS, 'NX')]);
  }

  async forget(file: string): Promise<void> {
    const { client } = this.#redis;
    const names = Array.from({ length: this.shards }, (_none, shard) => shard).flatMap((shard) => [
      this.#progressName(shard, file),
      this.#duplicatesName(shard, file),
    ]);
    await Promise.all([...names, this.#doneName(file)].map((name) => client.pexpire(name, FORGOTTEN_MS)));
  }

  async hasEvent(set: string, member: number): Promise<boolean> {
    const shard = this.shardOf(set);
    return (await this.#serving.run(HAS_EVENT, shard, { keys: [this.#setName(shard, set)], args: [member] })) === 1;
  }

  async readOldClaims(keys: readonly string[]): Promise<readonly (string | null)[]> {
    if (!this.#hasOldClaims) return [];
    return Promise.all(keys.map((key) => this.#redis.client.get(this.#names.nameOf('v', key))));
  }

  #progressName(shard: number, file: string): string {
    return `${this.#names.tagOf(shard)}w:${file}`;
  }

  #duplicatesName(shard: number, file: string): string {
    return `${this.#names.tagOf(shard)}d:${file}`;
  }

  #doneName(file: string): string {
    return `${this.#names.tagOf(this.shardOf(file))}t:${file}`;
  }

  #setName(shard: number, set: string): string {
    return `${this.#names.tagOf(shard)}e:${set}`;
  }
}

function stepArgs({ known, to, sentMs }: ShardStep): (string | number)[] {
  return [known, to, sentMs, LATE_MS, PROGRESS_MS];
}

function readOffsets(text: string): number[] {
  return text === '' ? [] : text.trimEnd().split(' ').map(Number);
}

interface SetPart {
  readonly set: string;
  ttlMs: number;
  readonly members: number[];
  readonly offsets: number[];
}

/** Claims that are not known to be duplicates, by set, in their order. */
function groupBySet(claims: readonly ShardClaim[]): readonly SetPart[] {
  const parts: SetPart[] = [];
  const open = new Map<string, SetPart>();
  for (const { set, member, ttlMs, offset, isDuplicate } of claims) {
    if (isDuplicate) continue;
    let part = open.get(set);
    if (part === undefined || part.members.length >= EVENTS_PER_SET_CALL) {
      part = { set, ttlMs, members: [], offsets: [] };
      open.set(set, part);
      parts.push(part);
    }
    part.ttlMs = Math.max(part.ttlMs, ttlMs);
    part.members.push(member);
    part.offsets.push(offset);
  }
  return parts;
}
