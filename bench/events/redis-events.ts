/**
 * `npm run bench:redis-events`: CPU time of Redis for each counted impression, by shards and batch, beside one call for each event in one
 * shard, as before. An impression adds to six delivery counters of one of four line items, to two frequency counters and one list of its
 * user. Starts a Redis of its own. Argument: events of a run (200,000).
 */
import { randomInt } from 'node:crypto';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import type { EventLine } from '../../src/storage/hot/event-counts.ts';
import { openRedisHotStore } from '../../src/storage/hot/redis-hot-store.ts';
import { ask, findRedisServer, startRedis } from '../../test/support/stores/redis-servers.ts';

const EVENTS = Number(process.argv[2] ?? 200_000);
const USERS = 20_000;
const LINE_ITEMS = 4;
const TOGETHER = 50;
/** Events of a spool file. */
const FILE_EVENTS = 2_000;
const DAY_MS = 86_400_000;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const binary = findRedisServer();
if (binary === null) {
  console.log('No redis-server or valkey-server is on the PATH: nothing is measured.');
} else {
  const before = await measure(binary, { shards: 1, batch: 1 });
  console.log(`one call an event, one shard: ${before.toFixed(2)} µs CPU of Redis an event`);
  for (const batch of [50, 500])
    for (const shards of [1, 16, 64]) {
      const micros = await measure(binary, { shards, batch });
      console.log(`batches of ${batch}, ${shards} shards: ${micros.toFixed(2)} µs CPU of Redis an event`);
    }
}

/** Batch 1: an operation for each event, fifty at once. */
async function measure(name: string, { shards, batch }: { shards: number; batch: number }): Promise<number> {
  const redis = await startRedis(name);
  const store = openRedisHotStore({ url: redis.url, log: SILENT_LOG, shards });
  try {
    await store.ping();
    const startMicros = await readCpuMicros(redis.port);
    for (let first = 0; first < EVENTS; ) {
      const inFile = first % FILE_EVENTS;
      const lines = Array.from({ length: batch === 1 ? TOGETHER : batch }, (_none, at) =>
        makeLine(first + at, inFile + at),
      );
      if (batch === 1)
        await Promise.all(lines.map((line) => store.applyOnce({ ...line, value: `0/f/${line.offset}` })));
      else await store.countLines({ file: `0/${first - inFile}`, from: inFile * 10, to: (inFile + batch) * 10, lines });
      first += lines.length;
    }
    return ((await readCpuMicros(redis.port)) - startMicros) / EVENTS;
  } finally {
    await store.close();
    await redis.end();
  }
}

function makeLine(event: number, at: number): EventLine {
  const user = randomInt(USERS).toString(16).padStart(16, '0');
  const lineItem = event % LINE_ITEMS;
  const owners = [`li/${lineItem}`, `ca/${lineItem}`, `ad/1`];
  return {
    offset: at * 10,
    key: `e/01J8ZQ0000ABCDEFGHJ${toCrockford(event).padStart(7, '0')}:imp`,
    ttlMs: 2 * DAY_MS,
    increments: [
      ...owners.flatMap((owner) => [
        { key: `d/1/${owner}/imp/all`, by: 1n, ttlMs: 1_825 * DAY_MS },
        { key: `d/1/${owner}/imp/2026-01-01`, by: 1n, ttlMs: 9 * DAY_MS },
      ]),
      { key: `f/1/${user}/li/${lineItem}/imp/1HOUR`, by: 1n, ttlMs: 3_600_000 },
      { key: `f/1/${user}/li/${lineItem}/imp/1DAY`, by: 1n, ttlMs: DAY_MS },
    ],
    pushes: [{ key: `tv/1/${user}`, value: `${event} ${'x'.repeat(150)}`, max: 8, ttlMs: 30 * DAY_MS }],
  };
}

function toCrockford(value: number): string {
  const rest = Math.floor(value / CROCKFORD.length);
  return `${rest === 0 ? '' : toCrockford(rest)}${CROCKFORD[value % CROCKFORD.length]}`;
}

async function readCpuMicros(port: number): Promise<number> {
  const info = await ask(port, (client) => client.info('cpu'));
  const read = (name: string): number => Number(new RegExp(`used_cpu_${name}:([\\d.]+)`).exec(info)?.[1] ?? 0);
  return (read('user') + read('sys')) * 1_000_000;
}
