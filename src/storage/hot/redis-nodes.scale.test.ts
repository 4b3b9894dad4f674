import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, findRedisServer, startCluster, startRedis } from '../../../test/support/stores/redis-servers.ts';
import { startFaultProxy } from '../../../test/support/fault-proxy.ts';
import type { TestCluster, TestRedis } from '../../../test/support/stores/redis-servers.ts';
import { silentLog } from '../../../test/support/stores.ts';
import type { EventLine } from './event-counts.ts';
import { MissingLinesError } from './event-counts.ts';
import { HotCircuit } from './hot-circuit.ts';
import { checkRun, faultRuns } from './fixtures/event-faults.ts';
import { describeEventCounts } from './fixtures/event-counts-contract.ts';
import { describeHotStore } from './fixtures/hot-contract.ts';
import { BEGIN_ONCE } from './redis-scripts.ts';
import { openRedisHotStore, redisHealthOf } from './redis-hot-store.ts';
import { eventShardsOf, openRedis } from './redis-opening.ts';
import { RedisWatch } from './redis-watch.ts';

const binary = findRedisServer();
const HOUR = 3_600_000;

/** Events of one user and one of ten line items each; ids of one issuer, in order. */
function toLines(first: number, count: number): EventLine[] {
  return Array.from({ length: count }, (_none, at) => {
    const event = first + at;
    return {
      offset: at * 10,
      key: `e/01J8ZQ0000ABCDEFGHJK${event.toString(32).toUpperCase().replaceAll('U', 'Z').replaceAll('I', 'Y').replaceAll('L', 'X').replaceAll('O', 'W').padStart(6, '0')}:imp`,
      ttlMs: HOUR,
      increments: [
        { key: `d/1/li/${event % 10}/imp/all`, by: 1n, ttlMs: HOUR },
        { key: `f/1/user${event}/li/1/imp/1D`, by: 1n, ttlMs: HOUR },
      ],
      pushes: [{ key: `tv/1/user${event}`, value: `touch ${event}`, max: 8, ttlMs: HOUR }],
    };
  });
}

const lineItemKeys = Array.from({ length: 10 }, (_none, at) => `d/1/li/${at}/imp/all`);

describe.skipIf(binary === null)('a Redis of its own (needs redis-server or valkey-server on the PATH)', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis(binary ?? '');
  });
  afterAll(() => redis.end());

  test('counts each event once, whatever calls are lost, late, out of order or repeated', async () => {
    const opened = openRedis({ url: redis.url, log: silentLog, keyPrefix: 'faults' });
    const store = openRedisHotStore({ url: redis.url, log: silentLog, keyPrefix: 'faults' });
    const shards = await eventShardsOf(opened)();
    const standing = {
      counter: async (key: string) => (await store.readCounters([key]))[0] ?? 0n,
      list: (key: string) => store.readList(key),
    };
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(faultRuns, async (run) => {
        runs += 1;
        await checkRun(run, `run${runs}`, { shards, standing });
      }),
      { numRuns: Number(process.env['EVENT_RUNS'] ?? 60) },
    );
    await store.close();
    await opened.connection.close();
  });

  test('a call that begins a file minutes late is refused, as the file may be counted and forgotten', async () => {
    const opened = openRedis({ url: redis.url, log: silentLog, keyPrefix: 'late' });
    const shards = await eventShardsOf(opened)();
    const effects = { increments: [{ key: 'd/1/li/1/imp/all', by: 1n, ttlMs: HOUR }], pushes: [] };
    const shard = shards.shardOf('d/1/li/1/imp/all');
    const step = { file: '0/late', known: 0, to: 10, sentMs: shards.nowMs() - 300_000 };
    expect(await shards.add(shard, step, effects)).toEqual({ state: 'late', at: 0 });
    expect(await shards.claim(shard, step, [])).toMatchObject({ state: 'late' });
    expect(await shards.add(shard, { ...step, sentMs: shards.nowMs() }, effects)).toEqual({ state: 'next', at: 10 });
    expect(await shards.add(shard, step, effects)).toEqual({ state: 'done', at: 10 });
    await opened.connection.close();
  });

  test('processes that open a new store at once agree on its shards, whatever number each would choose', async () => {
    const opened = [1, 16, 64, 7].map((shards) =>
      openRedis({ url: redis.url, log: silentLog, keyPrefix: 'together', shards }),
    );
    const layouts = await Promise.all(opened.map(({ layout }) => layout()));
    expect(new Set(layouts.map(({ names }) => names.shards)).size).toBe(1);
    await Promise.all(opened.map(({ connection }) => connection.close()));
  });

  test('a store with one hash tag is moved when it is opened: counters, lists, values, claims and their ages', async () => {
    await ask(redis.port, async (client) => {
      const old = '{placard}:';
      await client.set(`${old}c:d/1/li/5/imp/all`, '41', 'PX', HOUR);
      await client.rpush(`${old}l:g/1/00ff`, 'a', 'b');
      await client.set(`${old}v:add/Zx/1`, '7 41', 'PX', HOUR);
      await client.set(`${old}v:e/01J8ZQ0000ABCDEFGHJK000001:imp`, '0/old/10', 'PX', HOUR);
      for (let at = 0; at < 3_000; at += 1) await client.set(`${old}c:d/1/li/x${at}/imp/all`, String(at), 'PX', HOUR);
      await client.set(`${old}c:f/1/00ff/li/5/imp/1D`, '3', 'PX', 4_000);
    });
    const stores = [1, 2, 3].map(() => openRedisHotStore({ url: redis.url, log: silentLog }));
    const [store] = stores;
    if (store === undefined) throw new Error('no store');
    const read = await Promise.all(stores.map((one) => one.readCounters(['d/1/li/5/imp/all', 'f/1/00ff/li/5/imp/1D'])));
    expect(read).toEqual([
      [41n, 3n],
      [41n, 3n],
      [41n, 3n],
    ]);
    expect(await store.readList('g/1/00ff')).toEqual(['a', 'b']);
    const increments = [{ key: 'd/1/li/5/imp/all', by: 1n, ttlMs: HOUR }];
    expect(await store.addNumbered({ writer: 'Zx/1', number: 7, ttlMs: HOUR, increments: [] })).toEqual([41n]);
    const many = await store.readCounters(Array.from({ length: 3_000 }, (_none, at) => `d/1/li/x${at}/imp/all`));
    expect(many.every((value, at) => value === BigInt(at))).toBe(true);
    expect(await ask(redis.port, (client) => client.keys('{placard}:*'))).toEqual([]);
    // The line that the older version counted is known, and a copy of its event is a duplicate.
    const line = { key: 'e/01J8ZQ0000ABCDEFGHJK000001:imp', ttlMs: HOUR, increments, pushes: [] };
    expect(await store.isCounted(line.key)).toBe(true);
    expect(await store.countRest({ file: '0/old', to: 20 }, () => [{ ...line, offset: 10 }])).toEqual(new Set());
    const copy = { file: '0/new', from: 0, to: 10, lines: [{ ...line, offset: 0 }] };
    expect(await store.countLines(copy)).toEqual([false]);
    expect(await store.countRest({ file: '0/new', to: 10 }, () => copy.lines)).toEqual(new Set([0]));
    expect(await store.readCounters(['d/1/li/5/imp/all'])).toEqual([41n]);
    await sleep(4_100);
    expect(await store.readCounters(['f/1/00ff/li/5/imp/1D'])).toEqual([0n]);
    await Promise.all(stores.map((one) => one.close()));
  });

  test('an operation over several shards whose caller died is finished by its repeat, and only once', async () => {
    const opened = openRedis({ url: redis.url, log: silentLog, keyPrefix: 'dead' });
    const store = openRedisHotStore({ url: redis.url, log: silentLog, keyPrefix: 'dead' });
    const { names } = await opened.layout();
    const op = {
      key: 'e/order',
      value: '0/file/10',
      ttlMs: HOUR,
      increments: lineItemKeys.map((key) => ({ key, by: 1n, ttlMs: HOUR })),
    };
    const keys = [names.nameOf('v', op.key)];
    await opened.connection.run(BEGIN_ONCE, { keys, args: [op.value, op.ttlMs, 'id-of-the-dead'] });
    expect([await store.get(op.key), await store.readValues([op.key])]).toEqual([null, [null]]);
    expect(await store.applyOnce({ ...op, value: '1/other/0' })).toEqual({ first: false, value: op.value });
    expect(await store.readCounters(lineItemKeys)).toEqual(lineItemKeys.map(() => 0n));
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await store.applyOnce(op)).toEqual({ first: false, value: op.value });
      expect(await store.get(op.key)).toBe(op.value);
      expect(await store.readCounters(lineItemKeys)).toEqual(lineItemKeys.map(() => 1n));
    }
    await store.close();
    await opened.connection.close();
  });

  test('a Redis that evicts keys says so in its risks and its metric', async () => {
    const own = await startRedis(binary ?? '', ['--maxmemory', '3mb', '--maxmemory-policy', 'allkeys-lru']);
    const store = openRedisHotStore({ url: own.url, log: silentLog, keeper: 'nobody' });
    const watch = new RedisWatch({ read: redisHealthOf(store) ?? (() => Promise.resolve([])), log: silentLog });
    const registry = new Registry();
    watch.register(registry);
    await watch.run();
    const wouldEvict = 'maxmemory-policy is allkeys-lru: Redis evicts counters when memory is full';
    expect(watch.risks).toEqual([wouldEvict]);
    const client = new Redis(own.url);
    for (let key = 0; key < 40; key += 1) await client.set(`filler-${key}`, 'x'.repeat(100_000));
    await watch.run();
    expect(watch.risks[0]).toMatch(/^Redis has evicted \d+ keys: counters are too low/);
    expect(await registry.metrics()).toMatch(/^placard_redis_evicted_keys_total [1-9]/m);
    client.disconnect();
    await store.close();
    await own.end();
  });

  test('decisions do not wait for a Redis that is stopped, killed or slow, and use it when it is back', async () => {
    const own = await startRedis(binary ?? '');
    const proxy = await startFaultProxy([own.port]);
    // Nobody rebuilds what this Redis loses when it is killed.
    const store = openRedisHotStore({ url: `redis://127.0.0.1:${proxy.port}`, log: silentLog, keeper: 'nobody' });
    const circuit = new HotCircuit({ hot: store, log: silentLog });
    const decide = async (): Promise<boolean> => {
      const read = (): Promise<unknown> => store.readCounters(lineItemKeys);
      return circuit
        .newWait()
        .run(read)
        .then(
          () => true,
          () => false,
        );
    };
    const expectWithout = async (): Promise<void> => {
      const { late } = circuit.stats;
      // A decision or two may still be served by what is on its way.
      for (let decision = 0; decision < 50; decision += 1) await decide();
      expect(circuit.isOpen).toBe(true);
      expect(circuit.stats.late - late, 'decisions that waited').toBeLessThanOrEqual(4);
    };
    const expectWith = async (): Promise<void> => {
      await expect.poll(() => circuit.isOpen).toBe(false);
      await expect.poll(decide).toBe(true);
    };
    await expect.poll(decide).toBe(true);
    own.process.kill('SIGSTOP');
    await expectWithout();
    own.process.kill('SIGCONT');
    await expectWith();
    proxy.delayMs = 200;
    await expectWithout();
    proxy.delayMs = 0;
    await expectWith();
    await own.end();
    await expectWithout();
    const next = await startRedis(binary ?? '', [], own.port);
    await expectWith();
    await store.close();
    await next.end();
    await proxy.end();
  });

  test('dense ids take less than 4 bytes an event', async () => {
    const store = openRedisHotStore({ url: redis.url, log: silentLog, keyPrefix: 'dense' });
    const events = 100_000;
    for (let first = 0; first < events; first += 10_000) {
      const lines = toLines(first, 10_000).map((line) => ({ ...line, increments: [], pushes: [] }));
      const results = await store.countLines({ file: `0/${first}`, from: 0, to: 100_000, lines });
      expect(results.filter((isFirst) => isFirst)).toHaveLength(10_000);
    }
    const bytes = await ask(redis.port, async (client) => {
      const names = (await client.keys('dense{p*}e:*')) as string[];
      const sizes = await Promise.all(names.map((name) => client.memory('USAGE', name)));
      return sizes.reduce<number>((sum, size) => sum + Number(size), 0);
    });
    expect(bytes / events).toBeLessThan(4);
    await store.close();
  });
});

describe.skipIf(binary === null)('a Redis cluster (needs redis-server or valkey-server on the PATH)', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster(binary ?? '');
  });
  afterAll(() => cluster.end());

  describeHotStore('a cluster of three', {
    open: () => openRedisHotStore({ url: cluster.url, log: silentLog }),
    advance: (ms) => sleep(ms),
  });

  describeEventCounts('a cluster of three', {
    open: () => openRedisHotStore({ url: cluster.url, log: silentLog }),
    advance: (ms) => sleep(ms),
  });

  test('keys lie on all three masters, about evenly', async () => {
    const store = openRedisHotStore({ url: cluster.url, log: silentLog });
    const increments = Array.from({ length: 3_000 }, (_none, at) => ({
      key: `d/1/li/${at}/imp/spread`,
      by: 1n,
      ttlMs: HOUR,
    }));
    await store.addToCounters(increments);
    const sizes = await Promise.all(
      cluster.masters.map(({ port }) => ask(port, async (client) => (await client.keys('placard*/spread')).length)),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(3_000);
    expect(Math.min(...sizes)).toBeGreaterThan(600);
    await store.close();
  });

  test('events are counted once while a master is killed and its replica promoted', async () => {
    const opened = openRedis({ url: cluster.url, log: silentLog });
    const store = openRedisHotStore({ url: cluster.url, log: silentLog });
    const before = await store.readCounters(lineItemKeys);
    const lines = toLines(500_000, 4_000);
    const to = lines.length * 10;
    let counted = 0;
    let isMissing = false;
    for (let from = 0; from < lines.length && !isMissing; from += 100) {
      if (from === 1_000) {
        // The replica has what was confirmed so far, so no write is lost; a cluster does not promise it for the last ones.
        const [head] = cluster.masters;
        if (head === undefined) throw new Error('no master');
        await ask(head.port, (client) => client.wait(1, 5_000));
        await head.end();
      }
      const batch = {
        file: '0/failover',
        from: from * 10,
        to: (from + 100) * 10,
        lines: lines.slice(from, from + 100),
      };
      for (;;) {
        try {
          counted += (await store.countLines(batch)).filter((isFirst) => isFirst).length;
          break;
        } catch (error) {
          isMissing = error instanceof MissingLinesError;
          if (isMissing) break;
          await sleep(100);
        }
      }
    }
    await cluster.promoted();
    const rest = (from: number): readonly EventLine[] => lines.filter(({ offset }) => offset >= from);
    expect(await store.countRest({ file: '0/failover', to }, rest)).toEqual(new Set());
    if (!isMissing) expect(counted).toBe(lines.length);
    const after = await store.readCounters(lineItemKeys);
    expect(after.map((value, at) => value - (before[at] ?? 0n))).toEqual(lineItemKeys.map(() => 400n));
    expect(await store.readList('tv/1/user500001')).toEqual(['touch 500001']);
    await store.close();
    await opened.connection.close();
  });
});
