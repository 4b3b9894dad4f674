import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRedisServer, startRedis } from '../../../test/support/stores/redis-servers.ts';
import type { TestRedis } from '../../../test/support/stores/redis-servers.ts';
import { silentLog } from '../../../test/support/stores.ts';
import { openRedis } from './redis-opening.ts';
import { openRecoverableShards } from './redis-recovery.ts';

const binary = findRedisServer();
let redis: TestRedis;
beforeEach(async () => {
  redis = await startRedis(binary ?? '', []);
});
afterEach(() => redis.end());

test.skipIf(binary === null)('a shard keeps its epoch while another one of that epoch is rebuilt', async () => {
  const opened = openRedis({ url: `redis://127.0.0.1:${redis.port}`, log: silentLog, keyPrefix: 'epochs', shards: 4 });
  const shards = openRecoverableShards(opened);
  const { epochs } = await opened.layout();
  await shards.refresh();
  await opened.connection.client.del(epochs.keyOf(0));
  const lost = (await shards.refresh()).map(({ state }) => state);
  expect(lost).toEqual(['lost', 'ready', 'ready', 'ready']);
  await shards.begin([0], 'second');
  await shards.refresh();
  const standing = await shards.refresh();
  // An older dump of the one that was rebuilt is still noticed.
  await opened.connection.client.set(epochs.keyOf(0), 'ready:first');
  const back = await shards.refresh();
  await opened.connection.close();
  expect(standing.map(({ state }) => state)).toEqual(['building', 'ready', 'ready', 'ready']);
  expect(back.map(({ isOld }) => isOld)).toEqual([true, false, false, false]);
});
