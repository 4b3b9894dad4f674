/** Logical shards on a cluster, and on a single server. The first process that opens a store chooses; the number is stored there. */
export const CLUSTER_SHARDS = 64;
export const SERVER_SHARDS = 16;
/** Most shards that a store may have. */
export const SHARDS_MAX = 256;

/** How many parts of a key, from its first, name the owner that its shard follows from. */
type OwnerParts = number;

/**
 * The owner of each kind of key, by its first part. Keys of one owner share a shard, so one call changes them together. Kinds that are
 * not listed, such as `e/` (event), `ti/` (click id) and `rc/` (repeated clicks), own themselves: the whole key chooses the shard.
 */
const OWNERS: Readonly<Record<string, { readonly name: string; readonly parts: OwnerParts }>> = {
  // By user: workspace and user hash.
  f: { name: 'u', parts: 3 },
  tc: { name: 'u', parts: 3 },
  tv: { name: 'u', parts: 3 },
  g: { name: 'u', parts: 3 },
  gm: { name: 'u', parts: 3 },
  gp: { name: 'u', parts: 3 },
  // By line item, campaign, advertiser or creative: workspace, scope and id.
  d: { name: 'b', parts: 4 },
  r: { name: 'b', parts: 4 },
  x: { name: 'b', parts: 4 },
  // By segment: workspace and segment.
  gd: { name: 'gd', parts: 3 },
  // By quota: workspace and limit. Writers of numbered additions are named after their quota.
  q: { name: 'q', parts: 3 },
};

/** Prefixes that come before the key that owns them: a writer's record, and a reset of a quota. */
const WRAPPERS = ['add/', 'reset/'];

/** The part of a key that its shard follows from. */
export function ownerOf(key: string): string {
  for (const wrapper of WRAPPERS) if (key.startsWith(wrapper)) return ownerOf(key.slice(wrapper.length));
  const end = key.indexOf('/');
  const owner = end === -1 ? undefined : OWNERS[key.slice(0, end)];
  if (owner === undefined) return key;
  let until = end;
  for (let part = 1; part < owner.parts && until !== -1; part += 1) until = key.indexOf('/', until + 1);
  return `${owner.name}${key.slice(end, until === -1 ? undefined : until)}`;
}

/** Names of keys in Redis, on a number of shards that never changes. */
export class ShardedNames {
  readonly shards: number;
  /** `<prefix>{p<shard>}` of each shard: Redis hashes the part in braces. */
  readonly #tags: readonly string[];

  /** @param prefix of every key; without braces */
  constructor(prefix: string, shards: number) {
    this.shards = shards;
    this.#tags = Array.from({ length: shards }, (_none, shard) => `${prefix}${shardTag(shard)}`);
  }

  shardOf(key: string): number {
    return hash(ownerOf(key)) % this.shards;
  }

  /** What the keys of a shard begin with. */
  tagOf(shard: number): string {
    return this.#tags[shard] ?? '';
  }

  /** The name of a value (`v`), counter (`c`) or list (`l`). */
  nameOf(kind: 'v' | 'c' | 'l', key: string): string {
    return `${this.tagOf(this.shardOf(key))}${kind}:${key}`;
  }
}

/** The hash tag of a shard. */
export function shardTag(shard: number): string {
  return `{p${shard}}`;
}

/** FNV-1a over UTF-16 units, mixed once more so that its low bits spread. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
