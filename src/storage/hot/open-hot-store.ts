import type { Log } from '../../domain/log/log.ts';
import type { HotStore } from './hot-store.ts';
import { openLmdbHotStore } from './lmdb-hot-store.ts';
import { openRedisHotStore } from './redis-hot-store.ts';
import type { ShardKeeper } from './redis-opening.ts';

export interface HotStoreOptions {
  /** Folder of the LMDB store, which one process opens (`runtime/hot-store`). Not used with Redis. */
  readonly dir: string;
  /** Absent: LMDB. */
  readonly redisUrl?: string;
  /** The clock that LMDB's expiry goes by. */
  readonly nowMs: () => number;
  readonly log: Log;
  /** Of Redis. Default: nobody. */
  readonly keeper?: ShardKeeper;
}

/** The hot store of this installation: LMDB for one machine, Redis for several. */
export function openHotStore({ dir, redisUrl, nowMs, log, keeper = 'nobody' }: HotStoreOptions): HotStore {
  return redisUrl === undefined ? openLmdbHotStore(dir, nowMs) : openRedisHotStore({ url: redisUrl, log, keeper });
}
