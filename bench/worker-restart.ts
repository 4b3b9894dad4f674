/**
 * How soon a delivery worker that was killed serves again: `npm run bench:worker-restart -- [--kills 5] [--busy 70] [--in-a-row]`.
 *
 * The service has one worker, so that the new process sends the first response after the kill. Times are from `kill -9` to that response.
 * Before each kill it waits for two seconds, except with `--in-a-row`.
 * `--busy` processes that do nothing but use the processors run beside it, for at most 60 s; the run then ends with fewer kills than
 * requested.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { readChildren } from '../src/runtime/supervisor/run-files.ts';
import { createClient } from '../test/support/http-client.ts';
import { makeDataDir, removeDataDir, startPlacard } from '../test/support/placard-process.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string' }, busy: { type: 'string' }, 'in-a-row': { type: 'boolean' } },
});
const KILLS = Number(values.kills ?? 5);
const BUSY = Math.min(100, Number(values.busy ?? 0));
const BUSY_MS = 60_000;
const GIVE_UP_MS = 120_000;
const ASK_EVERY_MS = 20;
const PAUSE_MS = 2_000;

const busy: ChildProcess[] = [];
const dataDir = makeDataDir();
const server = await startPlacard({
  dataDir,
  env: { PLACARD_TLS: 'loopback', PLACARD_WORKERS: '1', PLACARD_LOG_LEVEL: 'info', PLACARD_LOG_FORMAT: 'json' },
  demoHistory: 'whole',
});
const client = createClient(null);
try {
  await firstBid();
  await pause();
  for (let count = 0; count < BUSY; count += 1) busy.push(startBusy());
  const untilMs = performance.now() + (BUSY === 0 ? Number.POSITIVE_INFINITY : BUSY_MS - 10_000);
  const times: number[] = [];
  for (let count = 0; count < KILLS && performance.now() < untilMs; count += 1) {
    const ms = await killWorker();
    times.push(ms);
    process.stdout.write(`kill ${count + 1}: ${Math.round(ms)} ms (load ${loadavg()[0]?.toFixed(1)})\n`);
    if (values['in-a-row'] !== true) await pause();
  }
  const sorted = times.toSorted((one, other) => one - other).map(Math.round);
  process.stdout.write(`${JSON.stringify({ busy: BUSY, kills: times.length, ms: sorted, most: sorted.at(-1) })}\n`);
} finally {
  for (const child of busy) child.kill('SIGKILL');
  client.close();
  await server.stop();
  await removeDataDir(dataDir);
}

function startBusy(): ChildProcess {
  return spawn(process.execPath, ['-e', `for (const end = Date.now() + ${BUSY_MS}; Date.now() < end; );`], {
    stdio: 'ignore',
  });
}

function workerPid(): number | undefined {
  return readChildren(dataDir).find(({ name }) => name === 'delivery 0')?.pid;
}

async function killWorker(): Promise<number> {
  const pid = workerPid();
  if (pid === undefined) throw new Error('There is no delivery worker.');
  const startedAt = performance.now();
  process.kill(pid, 'SIGKILL');
  await firstBid();
  const tookMs = performance.now() - startedAt;
  if (workerPid() === pid) throw new Error('The killed worker responded.');
  return tookMs;
}

/** Crashes in a row are started again more slowly. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** Sends bid requests until one gets a response. */
async function firstBid(): Promise<void> {
  for (const untilMs = performance.now() + GIVE_UP_MS; performance.now() < untilMs; ) {
    const json = {
      id: `restart-${process.pid}-${performance.now()}`,
      imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
      site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
    };
    const url = `${server.deliveryUrl}/${server.demo.networkId}/bid`;
    const status = await client.send(url, { json }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200 || status === 204) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  throw new Error(`No bid request got a response for ${GIVE_UP_MS} ms.`);
}
