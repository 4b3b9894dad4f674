import type { Redis } from 'ioredis';
import type { ApplyOnce, CounterIncrement, ListPush } from './hot-store.ts';
import { DELETE_SCANNED } from './redis-scripts.ts';
import type { ShardedNames } from './redis-shards.ts';

/** Keys of one step of a pass. */
const PAGE = 1_000;

/** The effects of an operation in one shard, as keys and arguments of a script. */
export interface Effects {
  readonly keys: string[];
  readonly args: string[];
}

/** One pass over the keys of a server; adds to `sums`. */
export async function deleteScanned(
  master: Redis,
  {
    prefixes,
    names,
    sums,
  }: { readonly prefixes: readonly string[]; readonly names: ShardedNames; readonly sums: number[] },
): Promise<void> {
  const start = names.tagOf(0).replace(/\{.*/, '');
  const pattern = `${start.replace(/[\\*?[\]]/g, '\\$&')}{p*`;
  let cursor = '0';
  do {
    const args = [cursor, pattern, PAGE, Buffer.byteLength(start) + 1, ...prefixes];
    const step = await master.eval(DELETE_SCANNED.lua, 0, ...args);
    const [next, found] = step as [string, readonly number[]];
    for (const [at, count] of found.entries()) sums[at] = (sums[at] ?? 0) + count;
    cursor = next;
  } while (cursor !== '0');
}

/** Indexes of entries in their list, by shard, in the order of first use. */
export function groupByShard(entries: readonly { readonly key: string }[], names: ShardedNames): [number, number[]][] {
  const groups = new Map<number, number[]>();
  for (const [index, { key }] of entries.entries()) {
    const shard = names.shardOf(key);
    const group = groups.get(shard);
    if (group === undefined) groups.set(shard, [index]);
    else group.push(index);
  }
  return [...groups];
}

/** Increments of counters of one shard. */
export function countersOf(increments: readonly CounterIncrement[], names: ShardedNames): Effects {
  return {
    keys: increments.map(({ key }) => names.nameOf('c', key)),
    args: increments.flatMap(({ by, ttlMs }) => [String(by), String(ttlMs)]),
  };
}

/** What an operation changes, in one shard. */
export function effectsOf(
  increments: readonly CounterIncrement[],
  pushes: readonly ListPush[],
  names: ShardedNames,
): Effects {
  const { keys, args } = countersOf(increments, names);
  for (const { key, value, max, ttlMs } of pushes) {
    keys.push(names.nameOf('l', key));
    args.push(value, String(max), String(ttlMs));
  }
  return { keys, args: [String(increments.length), ...args] };
}

/** What an operation changes in each shard. */
export function effectsByShard(op: ApplyOnce, names: ShardedNames): [number, Effects][] {
  const { increments = [], pushes = [] } = op;
  const shards = new Set([...increments, ...pushes].map(({ key }) => names.shardOf(key)));
  return [...shards].map((shard) => {
    const isHere = ({ key }: { readonly key: string }): boolean => names.shardOf(key) === shard;
    return [shard, effectsOf(increments.filter(isHere), pushes.filter(isHere), names)];
  });
}
