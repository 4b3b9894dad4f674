/**
 * `npm run bench:events`: impressions, viewable impressions, clicks and activities on one worker, beside a bare node:http server that
 * gets the same requests and returns as many bytes, and beside the disk: the same lines appended and synced in batches.
 *
 *   node bench/events/events.ts [--kinds impression,click] [--rounds 3] [--seconds 4] [--connections 256]
 *                        [--overload 20]    seconds of an open loop at three times the capacity, over 8,000 connections; default 0
 *                        [--total 10000000] impressions in one run, with the worker's memory after each tenth; default 0
 *
 * Every request is new: a repeat would be cheaper. Line items have frequency caps, limits of the day, budgets and all pricing models.
 * CPU time of the worker, and of all processes (shipping to the analytics store too), by request.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSecrets } from '../../src/storage/secrets.ts';
import { makeBenchKey } from '../support/bench-key.ts';
import { startBenchServer } from '../support/bench-server.ts';
import type { BenchServer } from '../support/bench-server.ts';
import { runEventLoad } from '../support/event-load.ts';
import type { EventLoadPlan, EventLoadResult } from '../support/event-load.ts';
import { EVENT_BOOKINGS, EVENT_HEADERS, EVENT_KINDS_MEASURED, EventTraffic } from '../support/event-traffic.ts';
import type { MeasuredKind } from '../support/event-traffic.ts';
import { cpuMicros, cpuMicrosOfTree } from '../support/load.ts';
import { HALF_RATE_SECONDS, measurePunctually } from '../support/punctual.ts';

const LINE_ITEMS = 1_000;
/** More than a worker can take in a second: a round never runs out of requests. */
const PER_SECOND_MAX = 40_000;
/** Enough for a disk that stalls for 200 ms at half of the highest rate. */
const STEADY_CONNECTIONS = 2_000;
/** More than a worker lets wait, so that it has to refuse. */
const OVERLOAD_CONNECTIONS = 8_000;
/** More viewable impressions than a worker can take in a second. */
const SHOWN_PER_SECOND = 16_000;
const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: EVENT_KINDS_MEASURED.join(',') },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '256' },
    overload: { type: 'string', default: '0' },
    total: { type: 'string', default: '0' },
    floor: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);

interface Figures extends EventLoadResult {
  readonly perSecond: number;
  readonly workerMicros: number;
  readonly allMicros: number;
}

/** A bare server: what it gets it parses, what it returns has the size and the headers of our responses. */
function serveFloor(bytes: number): void {
  const body = Buffer.alloc(bytes, 'x');
  const headers = { 'content-type': 'image/gif', 'cache-control': 'no-store', 'content-length': bytes };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(200, headers).end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function main(): Promise<void> {
  const bench = await startBenchServer({ lineItems: LINE_ITEMS, tls: false, bookings: EVENT_BOOKINGS });
  try {
    await new Bench(bench, await EventTraffic.open(bench.postgresUrl, loadSecrets(bench.dataDir))).run();
  } finally {
    await bench.stop();
  }
}

class Bench {
  readonly #server: BenchServer;
  readonly #traffic: EventTraffic;
  readonly #file: string;
  #authorization = '';

  constructor(server: BenchServer, traffic: EventTraffic) {
    this.#server = server;
    this.#traffic = traffic;
    this.#file = join(server.dataDir, 'bench-requests');
  }

  async run(): Promise<void> {
    const kinds = EVENT_KINDS_MEASURED.filter((kind) => values.kinds.split(',').includes(kind));
    this.#authorization = `Bearer ${await makeBenchKey(this.#server, { permission: 'read-write', modules: ['AUDIENCE'] })}`;
    const results: Record<string, unknown> = {};
    for (const kind of kinds) results[kind] = await this.#compare(kind);
    const disk = this.#measureDisk();
    console.log(
      `disk: ${disk.lineBytes} bytes a line, ${disk.batch} lines a sync: ${disk.syncMs.toFixed(2)} ms, ${disk.perSecond.toFixed(0)} lines/s`,
    );
    if (Number(values.overload) > 0) results['overload'] = await this.#overload(results);
    if (Number(values.total) > 0) results['memory'] = await this.#manyEvents(Number(values.total));
    write({ ...results, disk });
  }

  async #compare(kind: MeasuredKind): Promise<object> {
    const floor = fork(new URL(import.meta.url).pathname, ['--floor', kind === 'activity' ? '60' : '43']);
    const port = await new Promise<number>((resolve) => floor.once('message', (message) => resolve(Number(message))));
    try {
      await this.#round(kind, 2);
      await this.#floorRound(kind, floor, port);
      const ours: Figures[] = [];
      const bare: Figures[] = [];
      for (let round = 0; round < Number(values.rounds); round += 1) {
        bare.push(await this.#floorRound(kind, floor, port));
        ours.push(await this.#round(kind, seconds));
        console.log(describe(kind, ours.at(-1) as Figures));
      }
      const [middle, middleBare] = [medianOf(ours), medianOf(bare)];
      console.log(`median: ${describe('bare node:http', middleBare)}`);
      console.log(`median: ${describe(kind, middle)}`);
      const wrong = [...ours, ...bare].reduce((sum, { errors }) => sum + errors, 0);
      if (wrong > 0) throw new Error(`${kind}: ${wrong} requests failed`);
      const half = await measurePunctually('at half of that rate', () => this.#atHalfRate(kind, middle.perSecond / 2));
      return { ours: middle, bare: middleBare, half };
    } finally {
      floor.kill();
    }
  }

  /** Requests come when they are due, over so many connections that a stalled disk leaves none of them unsent. */
  async #atHalfRate(kind: MeasuredKind, rate: number): Promise<EventLoadResult> {
    const steady = { seconds: HALF_RATE_SECONDS, perSecond: Math.floor(rate), connections: STEADY_CONNECTIONS };
    const tokens = kind === 'viewable' ? await this.#shown(HALF_RATE_SECONDS) : [];
    return this.#load(kind, { ...steady, tokens });
  }

  async #floorRound(kind: MeasuredKind, floor: ChildProcess, port: number): Promise<Figures> {
    const url = `http://127.0.0.1:${port}`;
    return this.#measured(floor.pid ?? 0, floor.pid ?? 0, () => this.#load(kind, { seconds: 2, perSecond: null, url }));
  }

  async #round(kind: MeasuredKind, lasting: number): Promise<Figures> {
    const { workerPid, pid } = this.#server;
    const before = kind === 'viewable' ? await this.#shown(lasting) : [];
    return this.#measured(workerPid, pid, () =>
      this.#load(kind, { seconds: lasting, perSecond: null, tokens: before }),
    );
  }

  /** Viewable impressions need their impressions. */
  async #shown(lasting: number): Promise<readonly string[]> {
    const tokens = this.#traffic.write(this.#file, 'impression', lasting * SHOWN_PER_SECOND);
    const plan = { ...this.#plan('impression', 600), perSecond: null };
    await runEventLoad({ ...plan, seconds: lasting * 3 });
    return tokens;
  }

  async #measured(pid: number, root: number, load: () => Promise<EventLoadResult>): Promise<Figures> {
    const [worker, all] = [cpuMicros(pid), cpuMicrosOfTree(root)];
    const result = await load();
    const count = result.accepted + result.refused + result.errors;
    const workerMicros = (cpuMicros(pid) - worker) / count;
    const allMicros = (cpuMicrosOfTree(root) - all) / count;
    return { ...result, perSecond: result.accepted / result.seconds, workerMicros, allMicros };
  }

  #plan(kind: MeasuredKind, lasting: number): Omit<EventLoadPlan, 'perSecond'> {
    const headers = kind === 'activity' ? { authorization: this.#authorization } : EVENT_HEADERS;
    return { url: this.#server.deliveryUrl, requestsFile: this.#file, headers, connections, seconds: lasting };
  }

  async #load(
    kind: MeasuredKind,
    load: {
      readonly seconds: number;
      readonly perSecond: number | null;
      readonly url?: string;
      readonly tokens?: readonly string[];
      readonly connections?: number;
    },
  ): Promise<EventLoadResult> {
    const { tokens } = load;
    const rate = load.perSecond ?? PER_SECOND_MAX;
    this.#traffic.write(this.#file, kind, tokens?.length || Math.ceil(load.seconds * rate), tokens);
    const plan = this.#plan(kind, load.seconds);
    const { perSecond, url = plan.url, connections: over = plan.connections } = load;
    return runEventLoad({ ...plan, url, perSecond, connections: over });
  }

  async #overload(results: Record<string, unknown>): Promise<object> {
    const { ours } = results['impression'] as { ours: Figures };
    const perSecond = Math.floor(ours.perSecond * 3);
    const over = await this.#load('impression', {
      seconds: Number(values.overload),
      perSecond,
      connections: OVERLOAD_CONNECTIONS,
    });
    const goodput = over.accepted / over.seconds;
    console.log(
      `${perSecond}/s for ${values.overload} s: goodput ${goodput.toFixed(0)}/s (${((goodput / ours.perSecond) * 100).toFixed(0)} % of the highest rate), p99 ${over.p99Ms.toFixed(1)} ms; ${over.refused} refused, p50 ${over.refusedP50Ms.toFixed(1)} ms p99 ${over.refusedP99Ms.toFixed(1)} ms; ${over.errors} not sent or without response`,
    );
    return { perSecond, goodput, ...over };
  }

  async #manyEvents(total: number): Promise<readonly number[]> {
    const memory: number[] = [];
    const part = Math.min(200_000, Math.ceil(total / 10));
    for (let done = 0, said = 0; done < total; ) {
      this.#traffic.write(this.#file, 'impression', part);
      const { accepted } = await runEventLoad({ ...this.#plan('impression', 20), perSecond: null });
      done += accepted;
      if (done < ((said + 1) * total) / 10) continue;
      said += 1;
      memory.push(residentMegabytes(this.#server.workerPid));
      console.log(`${done} impressions: the worker holds ${memory.at(-1)} MB`);
    }
    return memory;
  }

  /** The same lines, as many as come at once, appended and synced, one batch after the other. */
  #measureDisk(): { lineBytes: number; batch: number; syncMs: number; perSecond: number } {
    const lineBytes = this.#lineBytes();
    const batch = connections;
    const bytes = Buffer.alloc(lineBytes * batch, 'x');
    const path = join(this.#server.dataDir, 'bench-sync');
    const file = openSync(path, 'w');
    const times: number[] = [];
    for (let turn = 0; turn < 300; turn += 1) {
      const startMs = performance.now();
      writeSync(file, bytes);
      fdatasyncSync(file);
      times.push(performance.now() - startMs);
    }
    closeSync(file);
    rmSync(path);
    const syncMs = times.sort((left, right) => left - right)[150] ?? Number.NaN;
    return { lineBytes, batch, syncMs, perSecond: (batch * 1_000) / syncMs };
  }

  #lineBytes(): number {
    const dir = join(this.#server.dataDir, 'spool', 'w0');
    for (const name of readdirSync(dir).filter((one) => /\.(sealed|settled)$/.test(one))) {
      try {
        const bytes = readFileSync(join(dir, name));
        const lines = bytes.toString('latin1').split('\n').length - 1;
        if (lines > 100) return Math.round(bytes.length / lines);
      } catch {
        // It was shipped meanwhile.
      }
    }
    return 1_000;
  }
}

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1_024);
}

function medianOf(all: readonly Figures[]): Figures {
  const median = (valueOf: (one: Figures) => number): number =>
    all.map(valueOf).sort((left, right) => left - right)[all.length >> 1] ?? Number.NaN;
  return {
    ...(all[0] as Figures),
    perSecond: median((one) => one.perSecond),
    workerMicros: median((one) => one.workerMicros),
    allMicros: median((one) => one.allMicros),
    p50Ms: median((one) => one.p50Ms),
    p99Ms: median((one) => one.p99Ms),
  };
}

function describe(name: string, one: Figures): string {
  return `${name.padEnd(15)} ${one.perSecond.toFixed(0).padStart(7)}/s  CPU/request: worker ${one.workerMicros.toFixed(1)} µs, all ${one.allMicros.toFixed(1)} µs  p50 ${one.p50Ms.toFixed(2)} ms  p99 ${one.p99Ms.toFixed(2)} ms  ${one.refused} refused  ${one.errors} errors`;
}

function write(figures: object): void {
  const dir = new URL('../results/', import.meta.url).pathname;
  mkdirSync(dir, { recursive: true });
  const where = { at: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  writeFileSync(
    join(dir, 'events.json'),
    `${JSON.stringify({ ...where, connections, seconds, ...figures }, null, 2)}\n`,
  );
}

if (values.floor !== undefined) serveFloor(Number(values.floor));
else await main();
