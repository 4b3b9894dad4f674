import type { Log } from '../../domain/log/log.ts';
import { RedisConnection } from './redis-connection.ts';
import { RedisEpochs } from './redis-epochs.ts';
import { openRedisClock, RedisEventShards } from './redis-event-shards.ts';
import { openRedisLayout } from './redis-layout.ts';
import type { RedisLayout, RedisLayoutOptions } from './redis-layout.ts';

/** The default prefix of keys. */
const PREFIX = 'placard';

/**
 * Who makes the shards of a new store ready, so that their counters may be used. `self`: the process that opens it first. `recovery`:
 * {@link HotRecovery} of a delivery worker, which knows a new store from one that lost everything. `nobody`: this process only looks, and
 * reads zeros where a shard is lost.
 */
export type ShardKeeper = 'self' | 'recovery' | 'nobody';

export interface RedisHotStoreOptions {
  /** `redis[s]://user:password@host:port/db` of a server, or several nodes of a cluster, separated by commas. */
  readonly url: string;
  readonly log: Log;
  /** Of every key; without braces. */
  readonly keyPrefix?: string;
  /** Of a new store; an existing one keeps its own. */
  readonly shards?: number;
  /** Default: self. */
  readonly keeper?: ShardKeeper;
}

/** A store's layout, and the state of its shards. */
export interface OpenLayout extends RedisLayout {
  readonly epochs: RedisEpochs;
}

/** A store's connection and layout. */
export interface OpenRedis {
  readonly connection: RedisConnection;
  readonly layout: () => Promise<OpenLayout>;
}

/** Connects; the layout is read at first use, and again until that succeeds once. */
export function openRedis({ url, log, keyPrefix = PREFIX, shards, keeper = 'self' }: RedisHotStoreOptions): OpenRedis {
  const connection = new RedisConnection(url, (error) => log.event('hot_store.connection_lost', { err: error }));
  const options: RedisLayoutOptions = { connection, prefix: keyPrefix, ...(shards === undefined ? {} : { shards }) };
  const layout = onceItSucceeds(async () => {
    const known = await openRedisLayout(options);
    const epochs = new RedisEpochs(connection, known.names, keeper !== 'nobody');
    if (keeper !== 'nobody') {
      const standing = await epochs.refresh();
      if (keeper === 'self' && standing.every(({ state }) => state === 'lost')) await epochs.found('first');
    }
    return { ...known, epochs };
  });
  return { connection, layout };
}

/** Shards to count events in, once the layout and the clock of Redis are known; tried again until then. */
export function eventShardsOf({ connection, layout }: OpenRedis): () => Promise<RedisEventShards> {
  return onceItSucceeds(async () => {
    const [known, clock] = await Promise.all([layout(), openRedisClock(connection)]);
    return new RedisEventShards(connection, known, { clock, epochs: known.epochs });
  });
}

/** The result of the first call that succeeds, for all that come after it. */
export function onceItSucceeds<Result>(open: () => Promise<Result>): () => Promise<Result> {
  let opening: Promise<Result> | null = null;
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
}
