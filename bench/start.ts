/**
 * How soon ads are served after a start on a data folder of an earlier run: `npm run bench:start -- [--line-items 500] [--starts 3] [--core-first]`.
 *
 * Times are from the start of the program to its first filled bid, and to its ready line. CPU time is that of all processes of the service
 * until the first filled bid: on a machine that is busy otherwise it says more than the clock. `--core-first` deletes the snapshot before each
 * start, which is then in the order of a first start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SNAPSHOT_FILE } from '../src/delivery/snapshot/snapshot-file.ts';
import { readEndpoints } from '../src/runtime/supervisor/run-files.ts';
import { createClient } from '../test/support/http-client.ts';
import { makeDataDir, ownEnvironment, removeDataDir, startPlacard } from '../test/support/placard-process.ts';
import { BENCH_NETWORK_ID, bookBenchNetwork } from './support/bench-network.ts';
import { BID_HEADERS, bidBodies } from './support/bid-traffic.ts';
import { cpuMicrosOfTree } from './support/load.ts';

const { values } = parseArgs({
  options: { 'line-items': { type: 'string' }, starts: { type: 'string' }, 'core-first': { type: 'boolean' } },
});
const IS_CORE_FIRST = values['core-first'] === true;
const LINE_ITEMS = Number(values['line-items'] ?? 500);
const STARTS = Number(values.starts ?? 3);
const GIVE_UP_MS = 300_000;
const ASK_EVERY_MS = 20;
/** A booked line item has more in the snapshot, with its creative. */
const BYTES_OF_LINE_ITEM_MIN = 500;
const MAIN = new URL('../src/main.ts', import.meta.url).pathname;

const dataDir = makeDataDir();
const snapshotPath = join(dataDir, 'snapshot', SNAPSHOT_FILE);
const port = await findPort();
const env = {
  PLACARD_DATA: dataDir,
  PLACARD_TLS: 'loopback',
  PLACARD_WORKERS: '1',
  PLACARD_DEMO: 'false',
  PLACARD_CORE_PORT: '0',
  PLACARD_DELIVERY_PORT: String(port),
  PLACARD_LOG_LEVEL: 'warn',
};
const client = createClient(null);
const bodies = bidBodies();
try {
  await book();
  const megabytes = Math.round(statSync(snapshotPath).size / 1e6);
  for (let start = 1; start <= STARTS; start += 1) {
    if (IS_CORE_FIRST) rmSync(snapshotPath);
    const figures = {
      isCoreFirst: IS_CORE_FIRST,
      lineItems: LINE_ITEMS,
      snapshotMegabytes: megabytes,
      ...(await measureStart()),
    };
    process.stdout.write(`${JSON.stringify({ ...figures, load: loadavg()[0] })}\n`);
  }
} finally {
  client.close();
  await removeDataDir(dataDir);
}

/** A first run, which leaves the snapshot on disk when it stops. */
async function book(): Promise<void> {
  const server = await startPlacard({ dataDir, env, demoHistory: 'none' });
  await bookBenchNetwork(readEndpoints(dataDir)?.postgresUrl ?? '', LINE_ITEMS);
  await firstFilledBid();
  await snapshotWritten();
  await server.stop();
}

/** A stop has no time to write a large one. */
async function snapshotWritten(): Promise<void> {
  for (const untilMs = performance.now() + GIVE_UP_MS; performance.now() < untilMs; ) {
    if ((statSync(snapshotPath, { throwIfNoEntry: false })?.size ?? 0) > LINE_ITEMS * BYTES_OF_LINE_ITEM_MIN) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  throw new Error(`The snapshot was not written for ${GIVE_UP_MS} ms.`);
}

async function measureStart(): Promise<Readonly<Record<string, number>>> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: ownEnvironment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = readyLine(child);
  await firstFilledBid();
  const firstBidMs = Math.round(performance.now() - startedMs);
  const firstBidCpuMs = Math.round(cpuMicrosOfTree(child.pid ?? 0) / 1_000);
  await ready;
  const readyMs = Math.round(performance.now() - startedMs);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { firstBidMs, firstBidCpuMs, readyMs };
}

function readyLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Placard is ready')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`The service ended with ${code} before it was ready`)));
  });
}

async function firstFilledBid(): Promise<void> {
  const url = `http://localhost:${port}/${BENCH_NETWORK_ID}/bid`;
  const untilMs = performance.now() + GIVE_UP_MS;
  for (let count = 0; performance.now() < untilMs; count += 1) {
    const body = bodies[count % bodies.length] ?? '';
    const status = await client.send(url, { method: 'POST', headers: BID_HEADERS, body }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (status !== 204) await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  throw new Error(`No bid was filled for ${GIVE_UP_MS} ms.`);
}

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
