import type { CounterIncrement, ListPush } from './hot-store.ts';

/** Moves a file's progress in one shard: only from where the caller knows it. */
export interface ShardStep {
  readonly file: string;
  /** Where the caller knows the progress; 0 when it knows of none. */
  readonly known: number;
  /** Where it goes: the end of the last line. */
  readonly to: number;
  /** When the call is made, by the clock of the store. */
  readonly sentMs: number;
}

/** An event to be claimed in a set of its shard. */
export interface ShardClaim {
  readonly set: string;
  readonly member: number;
  readonly ttlMs: number;
  /** Of the line. */
  readonly offset: number;
  /** The event is known to be counted by another line: only the offset is remembered. */
  readonly isDuplicate: boolean;
}

/**
 * - `next`: this call did it
 * - `done`: an earlier call did it
 * - `ahead`: another call went a part of the way
 * - `lost`: the store has lost what it confirmed
 * - `late`: the call is too old to begin a file
 */
export type StepState = 'next' | 'done' | 'ahead' | 'lost' | 'late';

/** The progress after a step. */
export interface StepReply {
  readonly state: StepState;
  /** Where the progress is now. */
  readonly at: number;
}

export interface ClaimReply extends StepReply {
  /** Offsets of duplicates among the lines of this call at least; for `done` and `ahead` all of the shard. */
  readonly duplicates: readonly number[];
}

/** The progress of a file in one shard. */
export interface ShardProgress {
  readonly claimedTo: number;
  readonly addedTo: number;
  readonly duplicates: readonly number[];
}

/** What a writer says when all lines of a file before `to` are counted. */
export interface FileDone {
  readonly to: number;
  /** Of the progress in all shards, as {@link checkSum} gives it. */
  readonly checkSum: number;
}

/** The shards that count events. Each call is atomic in its shard, and may be lost, late or repeated. */
export interface EventShards {
  readonly shards: number;
  shardOf(key: string): number;
  /** Milliseconds by the clock of the store. */
  nowMs(): number;
  claim(shard: number, step: ShardStep, claims: readonly ShardClaim[]): Promise<ClaimReply>;
  add(
    shard: number,
    step: ShardStep,
    effects: { readonly increments: readonly CounterIncrement[]; readonly pushes: readonly ListPush[] },
  ): Promise<StepReply>;
  /** The progress of a file in every shard. */
  readProgress(file: string): Promise<readonly ShardProgress[]>;
  readDone(file: string): Promise<FileDone | null>;
  writeDone(file: string, done: FileDone): Promise<void>;
  /** Forgets a file ten minutes later: longer than a call may be late. */
  forget(file: string): Promise<void>;
  hasEvent(set: string, member: number): Promise<boolean>;
  /** What an older version kept under the keys of events: the position of the line that claimed each, or null. */
  readOldClaims(keys: readonly string[]): Promise<readonly (string | null)[]>;
}

/** A number that differs when the progress of a shard does. */
export function checkSum(
  progress: Iterable<readonly [number, { readonly claimedTo: number; readonly addedTo: number }]>,
): number {
  let sum = 0;
  for (const [shard, { claimedTo, addedTo }] of progress)
    sum += (2 * shard + 1) * claimedTo + (2 * shard + 2) * addedTo;
  return sum;
}
