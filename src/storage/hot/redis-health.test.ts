import { expect, test } from 'vitest';
import { listRedisRisks, parseRedisInfo } from './redis-health.ts';

const INFO = {
  redis_version: '7.0.15',
  maxmemory: '100000000',
  maxmemory_policy: 'noeviction',
  evicted_keys: '0',
  aof_enabled: '1',
  rdb_last_bgsave_status: 'ok',
  aof_last_write_status: 'ok',
};
const infoOf = (changes: Partial<typeof INFO>): string =>
  `# Server\r\n${Object.entries({ ...INFO, ...changes })
    .map(([name, value]) => `${name}:${value}`)
    .join('\r\n')}\r\n`;

test('the response to INFO is read', () => {
  expect(parseRedisInfo(infoOf({}))).toEqual({
    version: '7.0.15',
    policy: 'noeviction',
    isBounded: true,
    evicted: 0,
    hasAppendOnlyFile: true,
    isDiskGood: true,
  });
});

test.each([
  ['keeps every key', {}, []],
  ['would evict, and has no bound on memory', { maxmemory: '0', maxmemory_policy: 'allkeys-lru' }, []],
  [
    'evicts when memory is full',
    { maxmemory_policy: 'volatile-lru' },
    ['maxmemory-policy is volatile-lru: Redis evicts counters when memory is full'],
  ],
  [
    'has evicted keys',
    { evicted_keys: '1673' },
    ['Redis has evicted 1673 keys: counters are too low, and limits may be passed'],
  ],
  ['cannot write its append-only file', { aof_last_write_status: 'err' }, ['Redis cannot write to its disk']],
] as const)('a Redis that %s has its risks named', (_title, changes, risks) => {
  expect(listRedisRisks([parseRedisInfo(infoOf({})), parseRedisInfo(infoOf(changes))])).toEqual(risks);
});
