import type { EventLine } from './event-counts.ts';
import type { HotStore } from './hot-store.ts';
import type { KnownShard, ShardLook, ShardStanding } from './redis-epochs.ts';

/** What a rebuild writes to: counters and claims of the lost shards. Those of others are passed over. */
export type RebuildTarget = Pick<
  HotStore,
  'countLines' | 'countRest' | 'forgetFile' | 'readCounters' | 'addToCounters' | 'flushed'
>;

/** A counted spool file whose events are counted again, where they were lost. */
export interface RecountedFile {
  readonly file: string;
  readonly to: number;
  /** All of its lines with claims: the first of their events. */
  readonly lines: readonly EventLine[];
}

/**
 * The shards of a store that several machines share, each of which may be emptied alone. A shard goes from lost over `building`, `recount`
 * and `counting` to `ready` ({@link ShardStanding}); every step is refused when another rebuild began meanwhile.
 */
export interface RecoverableShards {
  /** Checks every shard. A shard with old data is marked as lost. */
  refresh(): Promise<readonly ShardLook[]>;
  /** Adds what this machine knows from before: by shard, how many writes it has seen; and epochs that have ended. */
  remember(known: readonly KnownShard[], past: readonly string[]): Promise<void>;
  /** The last look; null: a call was refused since. */
  standing(): readonly ShardLook[] | null;
  /** Makes shards ready that say nothing of themselves: those of a new store. */
  found(epoch: string): Promise<void>;
  /** Deletes what is left of counters and claims in these shards, and begins to build them. */
  begin(shards: readonly number[], epoch: string): Promise<void>;
  /** Where their counters are built. */
  target(shards: readonly number[], epoch: string): Promise<RebuildTarget>;
  /** @throws HotStoreLostError when a shard does not have the state before */
  move(shards: readonly number[], from: ShardStanding, to: ShardStanding): Promise<void>;
  /**
   * Counts a file again in these shards alone. A repeat changes nothing. Releases of reservations are left out: those were lost.
   * @returns offsets of lines whose event another line counted after the loss, as far as no earlier call found them
   */
  recount(file: RecountedFile, shards: readonly number[]): Promise<ReadonlySet<number>>;
  /** Whether this machine's files are counted wherever they were lost. */
  isRecounted(): boolean;
  /** Who knows that. Default: they are. */
  watchRecounts(isRecounted: () => boolean): void;
}
