/**
 * `npm run bench`: the bid endpoint (three requests out of four are filled) on one worker and 64 keep-alive connections, beside a
 * bare node:http server that parses the same body and returns as many bytes. Rounds alternate between the two; medians count.
 *
 *   node bench/bid.ts [--line-items 1000] [--equal] [--tls] [--rounds 5] [--seconds 4]
 *
 * `--equal`: all line items are alike, have no targeting and compete for every ad unit.
 *
 * Then the bid endpoint at half of its highest rate for a minute, by requests that are due at fixed moments; a run whose generator was late
 * is void and repeated. Needs wrk, else takes autocannon.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH_NETWORK_ID, MAKE_EQUAL } from './support/bench-network.ts';
import { startBenchServer } from './support/bench-server.ts';
import type { BenchServer } from './support/bench-server.ts';
import { BID_HEADERS, bidBodies } from './support/bid-traffic.ts';
import { FillWatch } from './support/fill-watch.ts';
import { compareRounds, startFloor } from './support/floor.ts';
import type { Measured } from './support/floor.ts';
import { runOpenLoop } from './support/open-loop.ts';
import { HALF_RATE_SECONDS, measurePunctually } from './support/punctual.ts';

const CONNECTIONS = 64;
const { values } = parseArgs({
  options: {
    'line-items': { type: 'string', default: '1000' },
    equal: { type: 'boolean', default: false },
    tls: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
});
const lineItems = Number(values['line-items']);
const seconds = Number(values.seconds);

const server = await startBenchServer({ lineItems, tls: values.tls, bookings: values.equal ? [MAKE_EQUAL] : [] });
try {
  await run(server);
} finally {
  await server.stop();
}

async function run(bench: BenchServer): Promise<void> {
  const filled = bench.responseBytes.filter((bytes) => bytes > 0);
  const bytes = Math.round(filled.reduce((sum, one) => sum + one, 0) / filled.length);
  console.log(
    `${lineItems} line items; ${filled.length} of ${bench.responseBytes.length} sample requests filled, ${bytes} bytes a response`,
  );
  const floor = await startFloor(bytes, values.tls ? join(bench.dataDir, 'tls', 'server.pem') : null, 3);
  try {
    const plan = { bodies: bidBodies(lineItems), headers: BID_HEADERS, connections: CONNECTIONS, seconds };
    const url = `${bench.deliveryUrl}/${BENCH_NETWORK_ID}/bid`;
    const fill = new FillWatch(url, filled.length / bench.responseBytes.length);
    const results = await compareRounds(plan, Number(values.rounds), [
      { name: values.tls ? 'bare node:https' : 'bare node:http', url: floor.url, pid: floor.pid },
      { name: 'bid endpoint', url, pid: bench.workerPid, fill },
    ]);
    const [bare, bid] = results as [Measured, Measured];
    const ratio = bid.requestsPerSecond / bare.requestsPerSecond;
    const cpuRatio = bare.cpuMicrosPerRequest / bid.cpuMicrosPerRequest;
    console.log(`ratio: ${ratio.toFixed(2)} of the bare server (by CPU time ${cpuRatio.toFixed(2)})`);
    const perSecond = Math.floor(bid.requestsPerSecond / 2);
    const loop = { ...plan, url, perSecond, seconds: HALF_RATE_SECONDS, isAhead: true };
    const {
      timesMs: _times,
      sentLateMs: _late,
      ...half
    } = await measurePunctually(`at half of the highest rate, ${perSecond}/s`, () =>
      fill.during(() => runOpenLoop(loop)),
    );
    console.log(`p99.9 ${half.p999Ms.toFixed(2)} ms`);
    write({ ratio, cpuRatio, results, half });
  } finally {
    floor.stop();
  }
}

function write(figures: object): void {
  const dir = new URL('results/', import.meta.url).pathname;
  mkdirSync(dir, { recursive: true });
  const file = join(dir, `bid-${lineItems}${values.equal ? '-equal' : ''}${values.tls ? '-tls' : ''}.json`);
  const where = { at: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  const text = JSON.stringify({ ...where, connections: CONNECTIONS, seconds, lineItems, ...figures }, null, 2);
  writeFileSync(file, `${text}\n`);
  console.log(`written to ${file}`);
}
