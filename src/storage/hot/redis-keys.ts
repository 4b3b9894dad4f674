import { RedisConnection } from './redis-connection.ts';

/** How many keys a Redis holds, in all of its servers. @throws Error when it does not respond */
export async function countRedisKeys(url: string): Promise<number> {
  const connection = new RedisConnection(url, () => undefined);
  try {
    // Of a cluster, the servers are known after the first response.
    await connection.client.ping();
    const sizes = await Promise.all(connection.masters().map((master) => master.dbsize()));
    return sizes.reduce((sum, size) => sum + size, 0);
  } finally {
    connection.disconnect();
  }
}
