/** A node with built-in stores and a delivery node that reaches only it and Redis: one backup under load, restored with another Redis. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { type Client, createClient } from '../support/http-client.ts';
import {
  makeDataDir,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
  waitForDemoHistory,
} from '../support/placard-process.ts';
import { findRedisServer, startRedis, type TestRedis } from '../support/stores/redis-servers.ts';
import { silentLog } from '../support/stores.ts';

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const EVENTS_BEFORE = 100;
const WAIT = { timeout: 170_000, interval: 1_000 };
const binary = findRedisServer();
const dirs = { whole: makeDataDir(), edge: makeDataDir(), restored: makeDataDir() };
const backups = mkdtempSync(join(tmpdir(), 'backups-'));
const backup = join(backups, 'one');
const redis: TestRedis[] = [];
const clients: Client[] = [];
const running = new Map<string, PlacardProcess>();

interface Server {
  readonly process: PlacardProcess;
  readonly client: Client;
}

const commonSettings = (server: TestRedis | undefined): Record<string, string> => ({
  PLACARD_REDIS_URL: server?.url ?? '',
  PLACARD_WORKERS: '1',
  PLACARD_NODES: '2',
  PLACARD_LOG_FORMAT: 'json',
});

async function start(dataDir: string, env: Record<string, string>, args: readonly string[] = []): Promise<Server> {
  const process = await startPlacard({ dataDir, env, args, ...(args.length === 0 ? { demoHistory: 'none' } : {}) });
  running.set(dataDir, process);
  const client = createClient(process.ca === '' ? null : process.ca);
  clients.push(client);
  return { process, client };
}

async function stop(dataDir: string): Promise<void> {
  await running.get(dataDir)?.stop();
  running.delete(dataDir);
}

const command = (dataDir: string, server: TestRedis | undefined, args: readonly string[]) =>
  runPlacard(args, {
    ...commonSettings(server),
    PLACARD_DATA: dataDir,
    PLACARD_BACKUP_PASSPHRASE: 'correct horse battery staple',
  });

/** The impression address of a new ad; null when no bid comes. */
async function bid({ process, client }: Server, id: string): Promise<string | null> {
  const json = {
    id,
    imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
    site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
  };
  const response = await client.send(`${process.deliveryUrl}/1000/bid`, { json, headers: BROWSER });
  return response.status === 200 ? (/\/1000\/imp\/[\w.-]+/.exec(response.text)?.[0] ?? null) : null;
}

const fire = async ({ process, client }: Server, path: string): Promise<number> =>
  (await client.send(`${process.deliveryUrl}${path}`, { headers: BROWSER })).status;

interface Acknowledged {
  readonly path: string;
  readonly atMs: number;
}

/** Shows ads of a node on itself until it is told to stop. */
function showAds(server: Server, name: string): { readonly acknowledged: Acknowledged[]; stop(): Promise<void> } {
  const acknowledged: Acknowledged[] = [];
  let isStopped = false;
  const lane = async (at: number): Promise<void> => {
    for (let count = 0; !isStopped; count += 1) {
      const path = await bid(server, `${name}-${at}-${count}`);
      if (path !== null && (await fire(server, path)) === 200) acknowledged.push({ path, atMs: Date.now() });
    }
  };
  const lanes = Promise.all([0, 1].map(lane));
  return {
    acknowledged,
    stop: async () => {
      isStopped = true;
      await lanes;
    },
  };
}

async function countEvents(dataDir: string): Promise<{ rows: number; ids: number }> {
  const endpoints = JSON.parse(readFileSync(join(dataDir, 'run', 'endpoints.json'), 'utf8')) as {
    clickhouseUrl: string;
  };
  const olap = openOlap({ url: endpoints.clickhouseUrl, log: silentLog });
  const sql =
    "SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(event_id)) AS ids FROM events WHERE kind = 'impression'";
  const [row] = await olap.query<{ rows: number; ids: number }>({ sql });
  await olap.close();
  return row ?? { rows: 0, ids: 0 };
}

describe.skipIf(binary === null)('a backup of two nodes under load (needs redis-server or valkey-server)', () => {
  let whole: Server;
  let edge: Server;

  beforeAll(async () => {
    redis.push(await startRedis(binary ?? ''), await startRedis(binary ?? ''));
    whole = await start(dirs.whole, { ...commonSettings(redis[0]), PLACARD_DEMO: 'true' });
    await waitForDemoHistory(whole.process.coreUrl, whole.process.ca);
    const { out } = await command(dirs.whole, redis[0], ['cluster', 'token', '--json']);
    const link = {
      PLACARD_CORE_LINK_URL: whole.process.coreUrl,
      PLACARD_CORE_LINK_CA_FILE: join(dirs.whole, 'tls', 'ca.pem'),
      PLACARD_JOIN_TOKEN: (JSON.parse(out) as { token: string }).token,
      PLACARD_TLS: 'loopback',
    };
    edge = await start(dirs.edge, { ...commonSettings(redis[0]), ...link }, ['--role', 'delivery']);
  }, 400_000);

  afterAll(async () => {
    for (const client of clients) client.close();
    for (const dataDir of [dirs.edge, dirs.whole, dirs.restored]) await stop(dataDir);
    for (const server of redis) await server.end();
    for (const dir of Object.values(dirs)) await removeDataDir(dir);
    rmSync(backups, { recursive: true, force: true });
  }, 120_000);

  test('each event that either node acknowledged before the cut is restored once, with counters in an empty Redis', async () => {
    const loads = [showAds(whole, 'whole'), showAds(edge, 'edge')];
    const least = (): number => Math.min(...loads.map(({ acknowledged }) => acknowledged.length));
    await expect.poll(least, WAIT).toBeGreaterThan(EVENTS_BEFORE);
    const made = await command(dirs.whole, redis[0], ['backup', backup, '--json']);
    expect(made.err).toBe('');
    const { cutAt, nodes } = JSON.parse(made.out) as { cutAt: string; nodes: { id: string }[] };
    expect(nodes.map(({ id }) => id)).toEqual([readFileSync(join(dirs.edge, 'node-id'), 'utf8').trim()]);
    const after = least();
    await expect.poll(least, WAIT).toBeGreaterThan(after);
    for (const load of loads) await load.stop();
    const before = loads.map(({ acknowledged }) => acknowledged.filter(({ atMs }) => atMs < Date.parse(cutAt)));
    for (const one of before) expect(one.length).toBeGreaterThan(EVENTS_BEFORE);
    const unused = (await bid(edge, 'unused')) ?? '';
    await stop(dirs.edge);
    await stop(dirs.whole);

    const refused = await command(dirs.restored, redis[0], ['restore', backup]);
    expect(refused.err).toMatch(/PLACARD_REDIS_URL holds \d+ keys/);
    const restored = await command(dirs.restored, redis[1], ['restore', backup]);
    expect(restored.out + restored.err).toContain('Restored into');
    const again = await start(dirs.restored, commonSettings(redis[1]));
    const verifyCounts = async (): Promise<string> => (await command(dirs.restored, redis[1], ['verify-counts'])).out;
    const exact = /0 differences in roll-ups, 0 in [1-9]\d* delivery counters; 0 events wait/;
    await expect.poll(verifyCounts, WAIT).toMatch(exact);
    const found = await countEvents(dirs.restored);
    expect(found.ids).toBe(found.rows);
    expect(found.rows).toBeGreaterThanOrEqual(before.flat().length);
    // Repeats of events that the backup must have add none; the new one behind them shows that they were read.
    for (const { path } of before.flat()) expect(await fire(again, path)).toBe(200);
    expect(await fire(again, unused)).toBe(200);
    const one = { rows: found.rows + 1, ids: found.rows + 1 };
    await expect.poll(() => countEvents(dirs.restored), WAIT).toEqual(one);
    await expect.poll(verifyCounts, WAIT).toMatch(exact);
    expect(await countEvents(dirs.restored)).toEqual(one);
  }, 900_000);
});
