import type { Redis } from 'ioredis';
import { openRedisClock, RedisEventShards } from './redis-event-shards.ts';
import type { EventShards } from './event-shards.ts';
import type { RecountedFile, RebuildTarget, RecoverableShards } from './recoverable-shards.ts';
import { countersOf, groupByShard } from './redis-effects.ts';
import { formatStanding } from './redis-epochs.ts';
import type { KnownShard, ShardGuard, ShardLook, ShardStanding } from './redis-epochs.ts';
import { RedisEventCounts } from './redis-event-counts.ts';
import { onceItSucceeds } from './redis-opening.ts';
import type { OpenRedis } from './redis-opening.ts';
import { ADD_TO_COUNTERS } from './redis-scripts.ts';
import type { CounterIncrement } from './hot-store.ts';

/** Keys of one step of a pass. */
const PAGE = 1_000;
/** Of a key behind its shard's tag: what counting events and deciding ads leave. */
const REBUILT = /^(?:[wdte]:|c:[dfrx]\/|l:t[cv]\/)/;
/** First letters of reservations. */
const RESERVED = /^[rx]\//;

/** The shards of a Redis, as a rebuild works with them. */
export function openRecoverableShards(redis: OpenRedis): RecoverableShards {
  return new RedisRecovery(redis);
}

class RedisRecovery implements RecoverableShards {
  readonly #redis: OpenRedis;
  readonly #clock: () => ReturnType<typeof openRedisClock>;
  #isRecounted = (): boolean => true;
  #standing: () => readonly ShardLook[] | null = () => null;

  constructor(redis: OpenRedis) {
    this.#redis = redis;
    this.#clock = onceItSucceeds(() => openRedisClock(redis.connection));
  }

  standing(): readonly ShardLook[] | null {
    return this.#standing();
  }

  async remember(known: readonly KnownShard[], past: readonly string[]): Promise<void> {
    const { epochs } = await this.#redis.layout();
    epochs.remember(known, past);
  }

  async refresh(): Promise<readonly ShardLook[]> {
    const { epochs } = await this.#redis.layout();
    this.#standing = () => epochs.standing;
    return epochs.refresh();
  }

  async found(epoch: string): Promise<void> {
    const { epochs } = await this.#redis.layout();
    await epochs.found(epoch);
  }

  async begin(shards: readonly number[], epoch: string): Promise<void> {
    const { epochs, names } = await this.#redis.layout();
    const { client } = this.#redis.connection;
    // First nobody may write, then what is there goes.
    await Promise.all(shards.map((shard) => client.del(epochs.keyOf(shard))));
    const tags = new Set(shards.map((shard) => names.tagOf(shard)));
    for (const master of this.#redis.connection.masters()) await deleteRebuilt(master, tags);
    await Promise.all(
      shards.flatMap((shard) => [
        client.set(`${names.tagOf(shard)}shards`, String(names.shards)),
        client.set(epochs.keyOf(shard), formatStanding({ state: 'building', epoch })),
      ]),
    );
  }

  async target(shards: readonly number[], epoch: string): Promise<RebuildTarget> {
    const { epochs, names } = await this.#redis.layout();
    const guard = epochs.as({ state: 'building', epoch });
    const lost = new Set(shards);
    const isLost = ({ key }: { readonly key: string }): boolean => lost.has(names.shardOf(key));
    const inShards = await this.#shardsIn(lost, guard);
    const counts = new RedisEventCounts(async () => inShards);
    return {
      countLines: (batch) => counts.countLines(batch),
      countRest: (file, readLines) => counts.countRest(file, readLines),
      forgetFile: (file) => counts.forgetFile(file),
      readCounters: async (keys) => {
        const { client } = this.#redis.connection;
        const read = async (key: string): Promise<string | null> =>
          isLost({ key }) ? client.get(names.nameOf('c', key)) : null;
        const found = await Promise.all(keys.map(read));
        return found.map((text) => BigInt(text ?? '0'));
      },
      addToCounters: async (increments) => {
        const own = increments.filter(isLost);
        await Promise.all(
          groupByShard(own, names).map(([shard, indexes]) => {
            const part = indexes.map((index) => own[index] as CounterIncrement);
            return guard.run(ADD_TO_COUNTERS, shard, countersOf(part, names));
          }),
        );
        return [];
      },
      flushed: () => this.#redis.connection.ping(),
    };
  }

  async move(shards: readonly number[], from: ShardStanding, to: ShardStanding): Promise<void> {
    const { epochs } = await this.#redis.layout();
    await epochs.move(shards, from, to);
  }

  async recount({ file, to, lines }: RecountedFile, shards: readonly number[]): Promise<ReadonlySet<number>> {
    const { epochs } = await this.#redis.layout();
    const inShards = await this.#shardsIn(new Set(shards), epochs.recounting);
    const before = await inShards.readProgress(file);
    const duplicates = await new RedisEventCounts(async () => inShards).countRest({ file, to }, () =>
      lines.map((line) => ({
        ...line,
        increments: line.increments.filter(({ key, by }) => by > 0n || !RESERVED.test(key)),
      })),
    );
    // What was found before may be offsets of another form of the file, from which lines were left out since.
    const known = new Set(before.flatMap((one) => one.duplicates));
    return new Set([...duplicates].filter((offset) => !known.has(offset)));
  }

  isRecounted(): boolean {
    return this.#isRecounted();
  }

  watchRecounts(isRecounted: () => boolean): void {
    this.#isRecounted = isRecounted;
  }

  async #shardsIn(lost: ReadonlySet<number>, guard: ShardGuard): Promise<EventShards> {
    const [layout, clock] = await Promise.all([this.#redis.layout(), this.#clock()]);
    const all = new RedisEventShards(this.#redis.connection, layout, { clock, epochs: layout.epochs, guard });
    return onlyShards(all, lost);
  }
}

/** Shards of which some take part: the others say that they have counted everything. */
function onlyShards(all: EventShards, part: ReadonlySet<number>): EventShards {
  return {
    shards: all.shards,
    shardOf: (key) => all.shardOf(key),
    nowMs: () => all.nowMs(),
    claim: async (shard, step, claims) =>
      part.has(shard) ? all.claim(shard, step, claims) : { state: 'done', at: step.to, duplicates: [] },
    add: async (shard, step, effects) =>
      part.has(shard) ? all.add(shard, step, effects) : { state: 'done', at: step.to },
    readProgress: async (file) =>
      (await all.readProgress(file)).map((one, shard) =>
        part.has(shard) ? one : { claimedTo: 0, addedTo: 0, duplicates: [] },
      ),
    readDone: async () => null,
    writeDone: async () => undefined,
    forget: (file) => all.forget(file),
    hasEvent: (set, member) => all.hasEvent(set, member),
    readOldClaims: async () => [],
  };
}

/** One pass over the keys of a server. */
async function deleteRebuilt(master: Redis, tags: ReadonlySet<string>): Promise<void> {
  const [first = ''] = tags;
  const pattern = `${first.replace(/\{.*/, '').replace(/[\\*?[\]]/g, '\\$&')}{p*`;
  let cursor = '0';
  do {
    const [next, page] = await master.scan(cursor, 'MATCH', pattern, 'COUNT', PAGE);
    const own = page.filter((key) => {
      const end = key.indexOf('}') + 1;
      return tags.has(key.slice(0, end)) && REBUILT.test(key.slice(end));
    });
    await Promise.all(own.map((key) => master.unlink(key)));
    cursor = next;
  } while (cursor !== '0');
}
