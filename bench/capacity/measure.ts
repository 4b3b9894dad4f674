/**
 * `npm run bench:capacity`: CPU time and bytes of one bid request, event, stored row and report row, written to
 * bench/figures/capacity.json, the table that `npm run capacity` and docs/capacity.md calculate from.
 *
 *   node bench/capacity/measure.ts [--seconds 4] [--rounds 3] [--quiet-machine]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import type { Olap } from '../../src/storage/olap/olap.ts';
import { loadSecrets } from '../../src/storage/secrets.ts';
import { BID_HEADERS, bidBodies } from '../support/bid-traffic.ts';
import { BENCH_NETWORK_ID } from '../support/bench-network.ts';
import { type BenchServer, startBenchServer } from '../support/bench-server.ts';
import { runEventLoad } from '../support/event-load.ts';
import { EVENT_BOOKINGS, EVENT_HEADERS, EventTraffic, type MeasuredKind } from '../support/event-traffic.ts';
import { cpuMicros, runLoad } from '../support/load.ts';
import { COSTS_FILE, readCosts } from './costs-file.ts';
import type { Costs } from './plan.ts';

const LINE_ITEMS = 1_000;
const CONNECTIONS = 64;
const REQUESTS_PER_SECOND_MAX = 8_000;
const REPORT_ROWS_MIN = 1_000_000;
const REPORTS = 5;
const DRAIN_MAX_MS = 300_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    'quiet-machine': { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);

async function main(): Promise<void> {
  const server = await startBenchServer({ lineItems: LINE_ITEMS, tls: false, bookings: EVENT_BOOKINGS });
  const run = (name: string): string => readFileSync(join(server.dataDir, 'run', name), 'utf8');
  const { clickhouseUrl } = JSON.parse(run('endpoints.json')) as { clickhouseUrl: string };
  const children = JSON.parse(run('children.json')) as { name: string; pid: number }[];
  const analyticsPid = children.find(({ name }) => name.startsWith('analytics'))?.pid ?? 0;
  const olap = openOlap({ url: clickhouseUrl, log: SILENT_LOG });
  try {
    const measured = await new Measure(server, olap, analyticsPid).run();
    // Measured by another bench, over a year of events.
    const { differentEventBytes, rollupBytes } = readCosts();
    const costs: Costs = {
      measuredAt: new Date().toISOString(),
      cpu: cpus()[0]?.model ?? 'unknown',
      node: process.versions.node,
      wasBusy: !values['quiet-machine'],
      ...measured,
      differentEventBytes,
      rollupBytes,
      redisEventMicros: measureRedis(),
    };
    writeFileSync(COSTS_FILE, `${JSON.stringify(costs, null, 2)}\n`);
    console.log(costs);
  } finally {
    await olap.close();
    await server.stop();
  }
}

class Measure {
  readonly #server: BenchServer;
  readonly #olap: Olap;
  readonly #analyticsPid: number;

  constructor(server: BenchServer, olap: Olap, analyticsPid: number) {
    this.#server = server;
    this.#olap = olap;
    this.#analyticsPid = analyticsPid;
  }

  async run() {
    const traffic = await EventTraffic.open(this.#server.postgresUrl, loadSecrets(this.#server.dataDir));
    const requestMicros = await this.#median(() => this.#bids());
    const analyticsBefore = cpuMicros(this.#analyticsPid);
    const shown = await this.#median(() => this.#events(traffic, 'impression'));
    const viewable = await this.#median(() => this.#viewable(traffic));
    const clicked = await this.#median(() => this.#events(traffic, 'click'));
    await this.#drained();
    const stored = await this.#countEvents();
    const storeEventMicros = (cpuMicros(this.#analyticsPid) - analyticsBefore) / stored;
    const eventBytes = await this.#bytesPerEvent();
    return {
      requestMicros,
      impressionMicros: shown,
      viewableMicros: viewable,
      clickMicros: clicked,
      storeEventMicros,
      reportRowNanos: await this.#reportRow(),
      eventBytes,
      responseBytes: mean(this.#server.responseBytes.filter((bytes) => bytes > 0)),
    };
  }

  async #median(once: () => Promise<number>): Promise<number> {
    // Code that just began to run is slower.
    await once();
    const all: number[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) all.push(await once());
    return all.sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
  }

  async #bids(): Promise<number> {
    const { deliveryUrl, workerPid } = this.#server;
    const before = cpuMicros(workerPid);
    const url = `${deliveryUrl}/${BENCH_NETWORK_ID}/bid`;
    const plan = { url, bodies: bidBodies(LINE_ITEMS), headers: BID_HEADERS, connections: CONNECTIONS, seconds };
    const { requests } = await runLoad(plan);
    return (cpuMicros(workerPid) - before) / requests;
  }

  async #events(traffic: EventTraffic, kind: MeasuredKind, tokens: readonly string[] = []): Promise<number> {
    const requestsFile = join(this.#server.dataDir, 'bench-requests');
    traffic.write(requestsFile, kind, tokens.length || seconds * REQUESTS_PER_SECOND_MAX, tokens);
    const before = cpuMicros(this.#server.workerPid);
    const result = await runEventLoad({
      url: this.#server.deliveryUrl,
      requestsFile,
      headers: EVENT_HEADERS,
      connections: CONNECTIONS,
      seconds,
      perSecond: null,
    });
    if (result.errors > 0 || result.accepted === 0) throw new Error(`${result.errors} requests failed`);
    return (cpuMicros(this.#server.workerPid) - before) / (result.accepted + result.refused);
  }

  /** Viewable impressions need their impressions. */
  async #viewable(traffic: EventTraffic): Promise<number> {
    const requestsFile = join(this.#server.dataDir, 'bench-requests');
    const tokens = traffic.write(requestsFile, 'impression', seconds * 2_000);
    const url = this.#server.deliveryUrl;
    const load = { url, requestsFile, headers: EVENT_HEADERS, connections: CONNECTIONS, perSecond: null };
    await runEventLoad({ ...load, seconds: seconds * 2 });
    return this.#events(traffic, 'viewable', tokens);
  }

  /** Waits until every event is in the analytics store. */
  async #drained(): Promise<void> {
    const spool = join(this.#server.dataDir, 'spool');
    const waiting = (): number =>
      ['w0', 'batches'].reduce(
        (sum, name) => sum + (existsSync(join(spool, name)) ? readdirSync(join(spool, name)).length : 0),
        0,
      );
    for (const untilMs = performance.now() + DRAIN_MAX_MS; waiting() > 0; ) {
      if (performance.now() > untilMs) throw new Error('The spool does not drain');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #countEvents(): Promise<number> {
    const [row] = await this.#olap.query<{ all: string }>({ sql: 'SELECT toString(count()) AS all FROM events' });
    return Number(row?.all);
  }

  async #bytesPerEvent(): Promise<number> {
    await this.#olap.command('OPTIMIZE TABLE events FINAL');
    const [row] = await this.#olap.query<{ bytes: string }>({
      sql: "SELECT toString(sum(bytes_on_disk) / sum(rows)) AS bytes FROM system.parts WHERE table = 'events' AND active",
    });
    return Number(row?.bytes);
  }

  /** A report of three dimensions over rows of events, of which there are made enough that the start of a statement does not count. */
  async #reportRow(): Promise<number> {
    let rows = await this.#countEvents();
    for (; rows < REPORT_ROWS_MIN; rows *= 2) await this.#olap.command('INSERT INTO events SELECT * FROM events');
    const before = cpuMicros(this.#analyticsPid);
    for (let times = 0; times < REPORTS; times += 1)
      await this.#olap.query({
        sql: `SELECT line_item_id, toStartOfHour(time) AS hour, country, countIf(kind = 'impression') AS impressions, uniq(user_hash) AS users
          FROM events WHERE workspace_id > 0 GROUP BY line_item_id, hour, country ORDER BY impressions DESC LIMIT 1000`,
      });
    return ((cpuMicros(this.#analyticsPid) - before) / REPORTS / rows) * 1_000;
  }
}

/** CPU time of Redis for an event, in the largest batches over as many shards as a cluster has. */
function measureRedis(): number {
  const path = new URL('../events/redis-events.ts', import.meta.url).pathname;
  const { stdout } = spawnSync(process.execPath, [path, '20000'], { encoding: 'utf8' });
  const found = /batches of 500, 64 shards: ([\d.]+) µs/.exec(stdout)?.[1];
  if (found === undefined) throw new Error(`The cost of Redis cannot be measured: ${stdout}`);
  return Number(found);
}

function mean(all: readonly number[]): number {
  return all.reduce((sum, one) => sum + one, 0) / all.length;
}

await main();
