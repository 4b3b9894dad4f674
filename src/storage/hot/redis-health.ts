import type { RedisConnection } from './redis-connection.ts';

/** What a Redis server says of its memory and disk. */
export interface RedisHealth {
  readonly version: string;
  /** Its `maxmemory-policy`. */
  readonly policy: string;
  /** It has a bound on memory. */
  readonly isBounded: boolean;
  /** Keys that it deleted for want of memory, since it started. */
  readonly evicted: number;
  readonly hasAppendOnlyFile: boolean;
  /** The last writes to its disk succeeded. */
  readonly isDiskGood: boolean;
}

/** Every server that holds keys. @throws what Redis throws, also when its user may not run INFO */
export async function readRedisHealth(connection: RedisConnection): Promise<RedisHealth[]> {
  return Promise.all(connection.masters().map(async (master) => parseRedisInfo(await master.info())));
}

/** Reads the response to INFO. */
export function parseRedisInfo(text: string): RedisHealth {
  const lines = text.split('\r\n');
  const valueOf = (name: string): string =>
    lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1) ?? '';
  return {
    version: valueOf('redis_version'),
    policy: valueOf('maxmemory_policy'),
    isBounded: Number(valueOf('maxmemory')) > 0,
    evicted: Number(valueOf('evicted_keys')),
    hasAppendOnlyFile: valueOf('aof_enabled') === '1',
    isDiskGood: [valueOf('rdb_last_bgsave_status'), valueOf('aof_last_write_status')].every(
      (status) => status === '' || status === 'ok',
    ),
  };
}

/** Why counters may be wrong or get lost; empty: they may not. */
export function listRedisRisks(servers: readonly RedisHealth[]): string[] {
  const evicted = servers.reduce((sum, one) => sum + one.evicted, 0);
  const evicting = servers.find(({ policy, isBounded }) => isBounded && policy !== 'noeviction');
  return [
    ...(evicted > 0 ? [`Redis has evicted ${evicted} keys: counters are too low, and limits may be passed`] : []),
    ...(evicting === undefined
      ? []
      : [`maxmemory-policy is ${evicting.policy}: Redis evicts counters when memory is full`]),
    ...(servers.every(({ isDiskGood }) => isDiskGood) ? [] : ['Redis cannot write to its disk']),
  ];
}
