/**
 * `npm run bench`: the bid endpoint with 1,000 line items (three requests out of four are filled) on one worker and 64 keep-alive
 * connections, beside a bare node:http server that parses the same body and answers as many bytes, in the same run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { makeDataDir, startPlacard } from '../test/support/placard-process.ts';
import { createClient } from '../test/support/http-client.ts';
import { BENCH_NETWORK_ID, bookBenchNetwork } from './bench-network.ts';
import { cpuMicros, type LoadResult, runLoad } from './load.ts';

const CONNECTIONS = 64;
const SECONDS = Number(process.argv[2] ?? 10);
const WARM_UP_SECONDS = 3;
const LINE_ITEMS = Number(process.argv[3] ?? 1000);

interface Measured extends LoadResult {
  readonly name: string;
  readonly cpuMicrosPerRequest: number;
}

const dataDir = makeDataDir();
const server = await startPlacard({
  dataDir,
  env: { PLACARD_TLS: 'loopback', PLACARD_WORKERS: '1', PLACARD_DEMO: 'true', PLACARD_LOG_LEVEL: 'warn' },
});
let floor: ChildProcess | undefined;
try {
  const endpoints = JSON.parse(readFileSync(join(dataDir, 'run', 'endpoints.json'), 'utf8')) as { postgresUrl: string };
  await bookBenchNetwork(endpoints.postgresUrl, LINE_ITEMS);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const url = `${server.deliveryUrl}/${BENCH_NETWORK_ID}/bid`;
  const bodies = benchBodies();
  const answers = await sampleAnswers(url, bodies);
  const filled = answers.filter((bytes) => bytes > 0);
  console.log(
    `${LINE_ITEMS} line items; ${filled.length} of ${answers.length} sample requests filled, ${Math.round(mean(filled))} bytes an answer`,
  );
  floor = spawn(
    process.execPath,
    [new URL('floor-server.ts', import.meta.url).pathname, String(Math.round(mean(filled))), '3'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const floorPort = await firstLine(floor);
  const workerPid = childPid(dataDir, 'delivery');
  const results = [
    await measure('bare node:http', `http://127.0.0.1:${floorPort}/`, bodies, floor.pid ?? 0),
    await measure('bid endpoint', url, bodies, workerPid),
  ];
  report(results);
} finally {
  floor?.kill('SIGTERM');
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function benchBodies(): string[] {
  const body = (index: number, size: readonly [number, number]): string =>
    JSON.stringify({
      id: `bench-${index}-${'0'.repeat(24)}`,
      imp: [
        {
          id: '1',
          tagid: `unit-${index % 20}`,
          secure: 1,
          banner: {
            format: [
              { w: size[0], h: size[1] },
              { w: 300, h: 600 },
            ],
          },
          ext: { pos: '1' },
        },
      ],
      site: {
        id: `site-${index % 4}`,
        domain: 'bench.example',
        page: `https://www.bench.example/article/${index}`,
        ref: 'https://search.example/',
        ext: { area: 'news', kwrd: 'coffee+travel+bikes' },
      },
      user: { ext: { npa: false, ids: { lu: `user-${index}` } } },
      regs: { gdpr: 0, ext: { dsa: 1 } },
      ext: { network: BENCH_NETWORK_ID, keyvalues: { kvsection: 'news', kvage: '30' } },
      at: 1,
      tmax: 500,
    });
  return Array.from({ length: 64 }, (_, index) =>
    index % 4 === 3 ? body(index, [13, 17]).replace(',{"w":300,"h":600}', '') : body(index, [300, 250]),
  );
}

async function sampleAnswers(url: string, bodies: readonly string[]): Promise<number[]> {
  const client = createClient(null);
  const sizes: number[] = [];
  for (const body of bodies) {
    const answer = await client.send(url, {
      body,
      headers: { 'content-type': 'application/json', 'user-agent': browserName() },
    });
    if (answer.status !== 200 && answer.status !== 204)
      throw new Error(`The bid endpoint answered ${answer.status}: ${answer.text}`);
    sizes.push(answer.bytes.length);
  }
  client.close();
  return sizes;
}

async function measure(name: string, url: string, bodies: readonly string[], pid: number): Promise<Measured> {
  const plan = {
    url,
    bodies,
    headers: { 'content-type': 'application/json', 'user-agent': browserName() },
    connections: CONNECTIONS,
  };
  await runLoad({ ...plan, seconds: WARM_UP_SECONDS });
  const before = cpuMicros(pid);
  const result = await runLoad({ ...plan, seconds: SECONDS });
  const measured = { ...result, name, cpuMicrosPerRequest: (cpuMicros(pid) - before) / result.requests };
  console.log(
    `${name.padEnd(16)} ${result.requestsPerSecond.toFixed(0).padStart(8)} req/s  p50 ${result.p50Ms.toFixed(2)} ms  p99 ${result.p99Ms.toFixed(2)} ms  ${measured.cpuMicrosPerRequest.toFixed(1)} µs CPU/request  ${result.errors} errors (${result.generator})`,
  );
  return measured;
}

function report(results: readonly Measured[]): void {
  const [bare, bid] = results;
  const ratio = (bid?.requestsPerSecond ?? 0) / (bare?.requestsPerSecond ?? 1);
  console.log(`ratio: ${ratio.toFixed(2)} of the bare server`);
  const dir = new URL('results/', import.meta.url).pathname;
  mkdirSync(dir, { recursive: true });
  const file = join(dir, `bid-${LINE_ITEMS}.json`);
  writeFileSync(
    file,
    `${JSON.stringify({ at: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, connections: CONNECTIONS, seconds: SECONDS, lineItems: LINE_ITEMS, ratio, results }, null, 2)}\n`,
  );
  console.log(`written to ${file}`);
}

function childPid(folder: string, name: string): number {
  const children = JSON.parse(readFileSync(join(folder, 'run', 'children.json'), 'utf8')) as {
    name: string;
    pid: number;
  }[];
  return children.find((child) => child.name.startsWith(name))?.pid ?? 0;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function browserName(): string {
  return 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
}
