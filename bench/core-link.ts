/**
 * What a large snapshot costs over the core link: `npm run bench:core-link -- [--line-items 50000] [--changes 11]`. It needs redis-server.
 *
 * A core with stores of its own, and a delivery node of one worker that reaches Redis and, through a proxy that counts bytes, the core. Measured:
 * the first start of the node; a line item that is paused and activated in turn, from the commit to the first bid that shows it; a start with the snapshot on
 * disk; and one after a change that the node missed. Bytes are those of TCP's payload, TLS included. CPU time is that of all processes of the node
 * and of the core, without the stores.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readEndpoints } from '../src/runtime/supervisor/run-files.ts';
import { type OwnPostgres, startOwnAnalytics, startOwnPostgres } from '../test/cluster/own-stores.ts';
import { createClient } from '../test/support/http-client.ts';
import {
  makeDataDir,
  ownEnvironment,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
} from '../test/support/placard-process.ts';
import { findRedisServer, startRedis } from '../test/support/stores/redis-servers.ts';
import { findFreePort } from '../test/support/smtp-inbox.ts';
import { BENCH_NETWORK_ID, bookBenchNetwork } from './support/bench-network.ts';
import { untilIdle } from './support/bench-server.ts';
import { BID_HEADERS, bidBodies } from './support/bid-traffic.ts';
import { startCountingProxy } from './support/counting-proxy.ts';
import { FRESH_ID } from './support/fresh-id.ts';
import { cpuMicrosOfTree } from './support/load.ts';

const { values } = parseArgs({ options: { 'line-items': { type: 'string' }, changes: { type: 'string' } } });
const LINE_ITEMS = Number(values['line-items'] ?? 50_000);
const CHANGES = Number(values.changes ?? 11);
const GIVE_UP_MS = 600_000;
const ASK_EVERY_MS = 20;
const IDLE_MS = 20_000;
const MAIN = new URL('../src/main.ts', import.meta.url).pathname;
/** The only creative of this size is that of line item 100001, which runs in this ad unit. */
const CHANGED = { lineItemId: '100001', adUnit: 'unit-1', site: 'site-1', w: 13, h: 17 };
const MAKE_VISIBLE = [
  `UPDATE line_items SET type = 'PRICE', goal = NULL WHERE workspace_id = $1 AND id = ${CHANGED.lineItemId}`,
  `UPDATE creatives SET width = ${CHANGED.w}, height = ${CHANGED.h} WHERE workspace_id = $1 AND line_item_id = ${CHANGED.lineItemId}`,
];

const redisBinary = findRedisServer();
if (redisBinary === null) throw new Error('Install redis-server or valkey-server.');
const storesDir = mkdtempSync(join(tmpdir(), 'placard-bench-'));
// PostgreSQL's account needs access.
chmodSync(storesDir, 0o755);
const [postgres, analytics, redis, deliveryPort] = await Promise.all([
  startOwnPostgres(join(storesDir, 'postgres')),
  startOwnAnalytics(join(storesDir, 'analytics')),
  startRedis(redisBinary),
  findFreePort(),
]);
const dirs = { core: makeDataDir(), node: makeDataDir() };
const coreEnv = {
  PLACARD_POSTGRES_URL: postgres.urls.url,
  PLACARD_POSTGRES_OWNER_URL: postgres.urls.ownerUrl,
  PLACARD_CLICKHOUSE_URL: analytics.url,
  PLACARD_REDIS_URL: redis.url,
  PLACARD_NODES: '2',
  PLACARD_DEMO: 'false',
  PLACARD_LOG_LEVEL: 'warn',
};
const client = createClient(null);
const bodies = bidBodies(LINE_ITEMS);
let core: PlacardProcess | null = null;
let node: ChildProcess | null = null;
let asked = 0;
try {
  core = await startPlacard({
    dataDir: dirs.core,
    args: ['--role', 'core'],
    env: { ...coreEnv, PLACARD_LOG_LEVEL: 'info' },
  });
  await measure(core, postgres);
} finally {
  client.close();
  await stopNode();
  await core?.stop();
  await redis.end();
  await Promise.all([postgres.end(), analytics.end()]);
  for (const dir of [dirs.core, dirs.node, storesDir]) await removeDataDir(dir);
}

async function measure({ pid, dataDir }: PlacardProcess, { urls }: OwnPostgres): Promise<void> {
  await bookBenchNetwork(urls.ownerUrl, LINE_ITEMS, MAKE_VISIBLE);
  await untilIdle(() => cpuMicrosOfTree(pid));
  const proxy = await startCountingProxy(readEndpoints(dataDir)?.corePort ?? 0);
  const made = await runPlacard(['cluster', 'token', '--json'], { ...coreEnv, PLACARD_DATA: dataDir });
  const { token } = JSON.parse(made.out) as { token: string };
  const cpu = (): { node: number; core: number } => ({
    node: node?.exitCode === null ? cpuMicrosOfTree(node.pid ?? 0) : 0,
    core: cpuMicrosOfTree(pid),
  });
  /** What a piece of work costs until both are idle again. */
  const cost = async (what: string, work: () => Promise<object>): Promise<void> => {
    const before = { ...cpu(), sent: proxy.sent, received: proxy.received };
    const figures = await work();
    const atOnce = { nodeCpuMs: since(cpu().node, before.node), coreCpuMs: since(cpu().core, before.core) };
    const bytes = { sent: proxy.sent - before.sent, received: proxy.received - before.received };
    await untilIdle(() => cpu().node);
    await untilIdle(() => cpu().core);
    const afterwards = {
      untilIdle: {
        nodeCpuMs: since(cpu().node, before.node),
        coreCpuMs: since(cpu().core, before.core),
        sent: proxy.sent - before.sent,
        received: proxy.received - before.received,
      },
    };
    const line = { what, lineItems: LINE_ITEMS, ...figures, ...atOnce, ...bytes, ...afterwards, load: loadavg()[0] };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
  const sql = new pg.Client({ connectionString: urls.ownerUrl });
  await sql.connect();
  try {
    await cost('first start', () => startNode(proxy.port, { PLACARD_JOIN_TOKEN: token }));
    await cost('nothing', idle);
    await cost(`${CHANGES} changes of one line item`, () => changes(sql));
    await stopNode();
    await cost('start with the snapshot on disk', () => startNode(proxy.port));
    await stopNode();
    await setStatus(sql, 'ACTIVE');
    await cost('start after a change that the node missed', () => startNode(proxy.port, {}, changeVisible));
  } finally {
    await sql.end();
    await proxy.end();
  }
}

function since(now: number, before: number): number {
  return Math.round((now - before) / 1_000);
}

/** Starts the node; resolves with the milliseconds until its first filled bid. */
async function startNode(
  proxyPort: number,
  more: Readonly<Record<string, string>> = {},
  isServing: () => Promise<boolean> = anyFilled,
): Promise<{ firstBidMs: number; visibleMs: number }> {
  const startedMs = performance.now();
  node = spawn(process.execPath, [MAIN, 'serve', '--role', 'delivery'], {
    env: ownEnvironment({
      PLACARD_DATA: dirs.node,
      PLACARD_CORE_LINK_URL: `https://localhost:${proxyPort}`,
      PLACARD_CORE_LINK_CA_FILE: join(dirs.core, 'tls', 'ca.pem'),
      PLACARD_REDIS_URL: redis.url,
      PLACARD_NODES: '2',
      PLACARD_TLS: 'loopback',
      PLACARD_WORKERS: '1',
      PLACARD_DELIVERY_PORT: String(deliveryPort),
      PLACARD_DRAIN_SECONDS: '0',
      PLACARD_LOG_LEVEL: 'warn',
      ...more,
    }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const firstBidMs = await waited(startedMs, anyFilled);
  return { firstBidMs, visibleMs: await waited(startedMs, isServing) };
}

async function stopNode(): Promise<void> {
  if (node === null || node.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, 'exit');
  node.kill('SIGTERM');
  await ended;
}

async function idle(): Promise<{ seconds: number }> {
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return { seconds: IDLE_MS / 1_000 };
}

/** The line item is paused and activated in turn, and is paused at the end. */
async function changes(sql: pg.Client): Promise<{ ms: readonly number[] }> {
  const ms: number[] = [];
  for (let at = 0; at < CHANGES || at % 2 === 0; at += 1) {
    const isPause = at % 2 === 0;
    await setStatus(sql, isPause ? 'PAUSED' : 'ACTIVE');
    ms.push(await waited(performance.now(), async () => (await changeVisible()) !== isPause));
  }
  return { ms: ms.toSorted((one, other) => one - other) };
}

async function setStatus(sql: pg.Client, status: 'PAUSED' | 'ACTIVE'): Promise<void> {
  await sql.query('UPDATE line_items SET status = $1, version = version + 1, updated_at = now() WHERE id = $2', [
    status,
    CHANGED.lineItemId,
  ]);
}

/** Milliseconds from an instant until something holds. */
async function waited(startedMs: number, holds: () => Promise<boolean>): Promise<number> {
  for (const untilMs = performance.now() + GIVE_UP_MS; performance.now() < untilMs; ) {
    if (await holds().catch(() => false)) return Math.round(performance.now() - startedMs);
    if (node !== null && node.exitCode !== null) throw new Error(`The node ended with ${node.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  throw new Error(`Nothing came for ${GIVE_UP_MS} ms.`);
}

function anyFilled(): Promise<boolean> {
  return isFilled(bodies[asked % bodies.length] ?? '');
}

/** Whether the line item that changes wins where no other one can. */
function changeVisible(): Promise<boolean> {
  const body = JSON.parse(bodies[0] ?? '') as { imp: object[]; site: object };
  const imp = [{ ...body.imp[0], tagid: CHANGED.adUnit, banner: { format: [{ w: CHANGED.w, h: CHANGED.h }] } }];
  return isFilled(JSON.stringify({ ...body, imp, site: { ...body.site, id: CHANGED.site } }));
}

/** @throws Error when the node does not bid at all */
async function isFilled(body: string): Promise<boolean> {
  asked += 1;
  const url = `http://localhost:${deliveryPort}/${BENCH_NETWORK_ID}/bid`;
  const fresh = body.replace(FRESH_ID, `core-link-${asked}`);
  const { status } = await client.send(url, { method: 'POST', headers: BID_HEADERS, body: fresh });
  if (status !== 200 && status !== 204) throw new Error(`The bid endpoint responded with ${status}.`);
  return status === 200;
}
