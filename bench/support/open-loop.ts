/**
 * Load at a fixed rate: requests are due at fixed moments regardless of the server, and their time is counted from the moment they were
 * due, so that a stall counts for every request that it delays. Runs in a process of its own.
 */
import { fork, spawnSync } from 'node:child_process';
import { setPriority } from 'node:os';
import { FRESH_ID, freshId, newFreshIds } from './fresh-id.ts';
import { KeptConnections } from './kept-connections.ts';
import type { KeptConnection } from './kept-connections.ts';

/** How long the run waits for the last response after its request is due. */
const RESPONSES_WITHIN_MS = 10_000;

/** The requests of a run, their rate and its duration. */
export interface OpenLoopPlan {
  readonly url: string;
  readonly bodies: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** A connection that has been free for so long is replaced before the server might close it. Default 5,000. */
  readonly idleMsMax?: number;
  /** Requests are sent so long before their times count. Default 0. */
  readonly leadSeconds?: number;
  /** The generator represents other machines: it runs ahead of all processes, where the system allows that. Default false. */
  readonly isAhead?: boolean;
}

/** Times in milliseconds. Errors: requests that got another status than 2xx, a closed connection, or nothing at all. */
export interface OpenLoopResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  /** How late the generator itself sent the requests, 99th percentile. The times above include it. */
  readonly lateP99Ms: number;
  readonly errors: number;
  /** Of all responses, in ascending order. */
  readonly timesMs: readonly number[];
  /** How late the generator itself sent each request, in ascending order. The times above include it. */
  readonly sentLateMs: readonly number[];
}

/** Nice levels. */
const AHEAD = -10;

/** Runs the plan. Calls `onLeadOver` when times begin to count. */
export async function runOpenLoop(plan: OpenLoopPlan, onLeadOver?: () => void): Promise<OpenLoopResult> {
  const child = fork(new URL(import.meta.url).pathname, ['--generate']);
  const result = new Promise<OpenLoopResult>((resolve, reject) => {
    child.on('message', (message) => {
      if (message === LEAD_OVER) onLeadOver?.();
      else resolve(message as OpenLoopResult);
    });
    child.once('exit', (code) => reject(new Error(`The generator ended with ${code}`)));
  });
  child.send(plan);
  return result;
}

const LEAD_OVER = 'lead over';

class Generator {
  readonly #plan: OpenLoopPlan;
  readonly #requests: Buffer[];
  readonly #connections: KeptConnections;
  readonly #waitingSinceMs: number[] = [];
  readonly #timesMs: number[] = [];
  readonly #sentLateMs: number[] = [];
  #countsFromMs = 0;
  #leadDone = 0;
  readonly #ids = newFreshIds();
  #turn = 0;
  #errors = 0;

  constructor(plan: OpenLoopPlan) {
    this.#plan = plan;
    const { host, pathname } = new URL(plan.url);
    const head = Object.entries({ host, ...plan.headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#requests = plan.bodies.map((body) =>
      Buffer.from(
        `POST ${pathname} HTTP/1.1\r\n${head.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      ),
    );
    const onLost = (): void => {
      this.#errors += 1;
    };
    const onResponse = (connection: KeptConnection, status: number): void => this.#receive(connection, status);
    this.#connections = new KeptConnections(plan.url, { onResponse, onLost }, plan.idleMsMax);
  }

  async run(): Promise<OpenLoopResult> {
    const { connections, seconds, perSecond, leadSeconds = 0, isAhead = false } = this.#plan;
    if (isAhead) runAhead();
    await this.#connections.open(connections);
    const startMs = performance.now();
    const deadlineMs = startMs + (leadSeconds + seconds) * 1_000 + RESPONSES_WITHIN_MS;
    const total = Math.floor((leadSeconds + seconds) * perSecond);
    this.#countsFromMs = startMs + leadSeconds * 1_000;
    let isLead = true;
    let due = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        for (const now = performance.now(); due < total && startMs + (due * 1_000) / perSecond <= now; due += 1)
          this.#waitingSinceMs.push(startMs + (due * 1_000) / perSecond);
        while (this.#connections.freeCount > 0 && this.#waitingSinceMs.length > 0) this.#sendNext();
        if (isLead && performance.now() >= this.#countsFromMs) {
          isLead = false;
          process.send?.(LEAD_OVER);
        }
        const isOver = performance.now() > deadlineMs;
        if (!isOver && (due < total || this.#leadDone + this.#timesMs.length + this.#errors < total)) return;
        clearInterval(timer);
        resolve();
      }, 1);
    });
    const errors = total - this.#leadDone - this.#timesMs.length;
    const times = this.#timesMs.sort((left, right) => left - right);
    const sentLateMs = this.#sentLateMs.sort((left, right) => left - right);
    const at = (share: number, of = times): number => of[Math.floor(of.length * share)] ?? Number.NaN;
    this.#connections.close();
    const percentiles = { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), lateP99Ms: at(0.99, sentLateMs) };
    return { perSecond, ...percentiles, errors, timesMs: times, sentLateMs };
  }

  #sendNext(): void {
    const connection = this.#connections.acquire() as KeptConnection;
    const dueAtMs = this.#waitingSinceMs.shift() as number;
    // A copy: the socket may still hold what was written before.
    const request = Buffer.from(this.#requests[this.#turn % this.#requests.length] as Buffer);
    const at = request.indexOf(FRESH_ID);
    if (at !== -1) request.write(freshId(this.#ids, this.#turn), at, 'latin1');
    this.#turn += 1;
    this.#connections.send(connection, request, dueAtMs);
    if (dueAtMs >= this.#countsFromMs) this.#sentLateMs.push(connection.sentAtMs - dueAtMs);
  }

  #receive(connection: KeptConnection, status: number): void {
    if (status >= 300) this.#errors += 1;
    else if (connection.dueAtMs < this.#countsFromMs) this.#leadDone += 1;
    else this.#timesMs.push(performance.now() - connection.dueAtMs);
    this.#connections.release(connection);
    if (this.#waitingSinceMs.length > 0) this.#sendNext();
  }
}

/** Best effort: a system may refuse it, and the generator is then as late as everything else. */
function runAhead(): void {
  // In real time a thread runs as soon as it wakes up; ahead by nice levels, it waits until the end of another's turn.
  if (spawnSync('chrt', ['--fifo', '--pid', '1', `${process.pid}`]).status === 0) return;
  try {
    setPriority(AHEAD);
  } catch {
    return;
  }
}

if (process.argv[2] === '--generate') {
  // No caller waits for the figures any more.
  process.once('disconnect', () => process.exit(1));
  process.once('message', (plan) => {
    void new Generator(plan as OpenLoopPlan).run().then((result) => process.send?.(result, () => process.exit(0)));
  });
}
