import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { defineScript } from './redis-connection.ts';
import type { RedisConnection } from './redis-connection.ts';
import { CLUSTER_SHARDS, SERVER_SHARDS, ShardedNames, SHARDS_MAX, shardTag } from './redis-shards.ts';

/** How long the process that moves keys may pause before another one continues. */
const LOCK_MS = 30_000;
const LOOK_AGAIN_MS = 100;
/** Longest that one call waits for the layout. */
const WAIT_MS = 5_000;
const PAGE = 1_000;
/** Begins every key of versions that used one hash tag. */
const OLD_PREFIX = '{placard}:';
/** Claims of events in versions that used one hash tag. */
const OLD_CLAIMS = `${OLD_PREFIX}v:e/`;
const KEY_FORM = /^([vcl]):(.+)$/s;

/** Renews the lock of the process that moves keys. KEYS: the lock. ARGV: its holder, its time to live. */
const HOLD_LOCK = defineScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`);

/** Where a store keeps its keys. */
export interface RedisLayout {
  readonly names: ShardedNames;
  /** Whether claims of events that a version with one hash tag wrote may still exist, as values under the keys of the events. */
  readonly hasOldClaims: boolean;
}

export interface RedisLayoutOptions {
  readonly connection: RedisConnection;
  /** Of every key; without braces. */
  readonly prefix: string;
  /** For a new store; an existing one keeps its number. Default: by the kind of server. */
  readonly shards?: number;
  /** What keys of older versions begin with. */
  readonly oldPrefix?: string;
}

/** The keys that describe a store. */
interface LayoutKeys {
  readonly shards: string;
  readonly lock: string;
  readonly oldClaims: string;
}

/**
 * The layout of a store. The first process chooses the number of shards, moves the keys of an older version to them and stores the number;
 * others wait for it, so no process uses a key before all are moved.
 * @throws Error when another process moves keys for longer than 5 s: try again
 */
export async function openRedisLayout(options: RedisLayoutOptions): Promise<RedisLayout> {
  const { connection, prefix } = options;
  const at = (name: string): string => `${prefix}${shardTag(0)}${name}`;
  const keys: LayoutKeys = { shards: at('shards'), lock: at('moving'), oldClaims: at('old-claims') };
  const holder = randomBytes(9).toString('base64url');
  const { client } = connection;
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    const stored = await client.get(keys.shards);
    if (stored !== null) {
      const shards = parseShards(stored);
      await storeNumber(options, shards);
      const hasOldClaims = (await client.exists(keys.oldClaims)) === 1;
      return { names: new ShardedNames(prefix, shards), hasOldClaims };
    }
    if ((await client.set(keys.lock, holder, 'PX', LOCK_MS, 'NX')) === 'OK') {
      await create(options, { keys, holder });
      continue;
    }
    if (waited >= WAIT_MS) throw new Error('Another process moves the keys of the hot store');
    await sleep(LOOK_AGAIN_MS);
  }
}

function parseShards(text: string): number {
  const shards = Number(text);
  if (!Number.isSafeInteger(shards) || shards < 1 || shards > SHARDS_MAX)
    throw new Error(`The hot store says that it has ${text} shards`);
  return shards;
}

/** The number of shards of a store whose first shard was lost: the others keep it under each of their tags. */
async function findShards({ connection, prefix }: RedisLayoutOptions): Promise<number | null> {
  const tags = Array.from({ length: SHARDS_MAX }, (_none, shard) => shardTag(shard));
  const found = await Promise.all(tags.map((tag) => connection.client.get(`${prefix}${tag}shards`)));
  const stored = found.find((text) => text !== null);
  return stored === undefined || stored === null ? null : parseShards(stored);
}

/** Under every tag. */
async function storeNumber({ connection, prefix }: RedisLayoutOptions, shards: number): Promise<void> {
  const tags = Array.from({ length: shards }, (_none, shard) => shardTag(shard));
  await Promise.all(tags.map((tag) => connection.client.set(`${prefix}${tag}shards`, String(shards), 'NX')));
}

async function create(options: RedisLayoutOptions, at: { keys: LayoutKeys; holder: string }): Promise<void> {
  const { connection, prefix } = options;
  const byKind = connection.isCluster ? CLUSTER_SHARDS : SERVER_SHARDS;
  const shards = options.shards ?? (await findShards(options)) ?? byKind;
  const names = new ShardedNames(prefix, shards);
  const hold = async (): Promise<void> => {
    const held = await connection.run(HOLD_LOCK, { keys: [at.keys.lock], args: [at.holder, LOCK_MS] });
    if (held !== 1) throw new Error('Another process moves the keys of the hot store');
  };
  const oldPrefix = options.oldPrefix ?? OLD_PREFIX;
  for (const master of connection.masters())
    await moveAll(connection, master, { names, keys: at.keys, oldPrefix, hold });
  await storeNumber(options, shards);
  await connection.client.del(at.keys.lock);
}

interface Move {
  readonly names: ShardedNames;
  readonly keys: LayoutKeys;
  readonly oldPrefix: string;
  readonly hold: () => Promise<void>;
}

/** Moves the keys of one server, a page at a time. A crash leaves the rest to the next process. */
async function moveAll(connection: RedisConnection, master: Redis, move: Move): Promise<void> {
  const pattern = `${move.oldPrefix.replace(/[\\*?[\]]/g, '\\$&')}*`;
  let cursor = '0';
  do {
    const [next, page] = await master.scan(cursor, 'MATCH', pattern, 'COUNT', PAGE);
    await move.hold();
    await markOldClaims(connection, page, move.keys);
    await Promise.all(page.map((key) => moveKey(connection, key, move)));
    cursor = next;
  } while (cursor !== '0');
}

/** Remembers, for as long as the longest of them, that claims of an older version exist. Before they are moved. */
async function markOldClaims(connection: RedisConnection, page: readonly string[], keys: LayoutKeys): Promise<void> {
  const { client } = connection;
  const claims = page.filter((key) => key.startsWith(OLD_CLAIMS));
  if (claims.length === 0) return;
  const lives = await Promise.all(claims.map((key) => client.pttl(key)));
  const lifeMs = lives.reduce((longest, one) => Math.max(longest, one), 1);
  if (lifeMs > (await client.pttl(keys.oldClaims))) await client.set(keys.oldClaims, '1', 'PX', lifeMs);
}

/**
 * Never replaces a key: one that exists under its new name was moved before, by a process that died before it deleted the old one or by
 * another that went on meanwhile.
 */
async function moveKey({ client, isCluster }: RedisConnection, key: string, { names, oldPrefix }: Move): Promise<void> {
  const [, kind, name] = KEY_FORM.exec(key.slice(oldPrefix.length)) ?? [];
  if (kind === undefined || name === undefined) return;
  const target = names.nameOf(kind as 'v' | 'c' | 'l', name);
  if (!isCluster && (await renameAbsent(client as Redis, key, target))) return;
  const dump = await client.dumpBuffer(key);
  const lifeMs = await client.pttl(key);
  if (dump !== null && lifeMs !== -2) {
    await client.restore(target, Math.max(0, lifeMs), dump).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('BUSYKEY'))) throw error;
    });
  }
  await client.del(key);
}

/** False when the target exists. A key that has expired meanwhile needs no move. */
async function renameAbsent(client: Redis, key: string, target: string): Promise<boolean> {
  try {
    return (await client.renamenx(key, target)) === 1;
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such key')) return true;
    throw error;
  }
}
