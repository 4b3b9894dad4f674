/**
 * Load at a fixed rate: requests are due at fixed moments regardless of the server, and their time is counted from the moment they were
 * due, so that a stall counts for every request that it delays. Runs in a process of its own.
 */
import { fork, spawnSync } from 'node:child_process';
import { connect as connectPlain } from 'node:net';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { FRESH_ID, freshId, newFreshIds } from './fresh-id.ts';

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
  readonly #free: Connection[] = [];
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
  }

  async run(): Promise<OpenLoopResult> {
    const { connections, seconds, perSecond, leadSeconds = 0, isAhead = false } = this.#plan;
    if (isAhead) runAhead();
    const opened = await Promise.all(Array.from({ length: connections }, () => this.#connect()));
    this.#free.push(...opened);
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
        while (this.#free.length > 0 && this.#waitingSinceMs.length > 0) this.#sendNext();
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
    for (const { socket } of opened) socket.destroy();
    const percentiles = { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), lateP99Ms: at(0.99, sentLateMs) };
    return { perSecond, ...percentiles, errors, timesMs: times, sentLateMs };
  }

  #sendNext(): void {
    const connection = this.#free.pop() as Connection;
    connection.isBusy = true;
    connection.dueAtMs = this.#waitingSinceMs.shift() as number;
    // A copy: the socket may still hold what was written before.
    const request = Buffer.from(this.#requests[this.#turn % this.#requests.length] as Buffer);
    const at = request.indexOf(FRESH_ID);
    if (at !== -1) request.write(freshId(this.#ids, this.#turn), at, 'latin1');
    this.#turn += 1;
    if (connection.dueAtMs >= this.#countsFromMs) this.#sentLateMs.push(performance.now() - connection.dueAtMs);
    connection.socket.write(request);
  }

  #connect(): Promise<Connection> {
    const { protocol, hostname, port } = new URL(this.#plan.url);
    const target = { host: hostname, port: Number(port) };
    return new Promise((resolve, reject) => {
      const socket: Socket =
        protocol === 'https:'
          ? connectTls({ ...target, rejectUnauthorized: false }, () => resolve(connection))
          : connectPlain(target, () => resolve(connection));
      const connection: Connection = { socket, isBusy: false, dueAtMs: 0, received: '' };
      socket.setNoDelay(true).once('error', reject);
      socket.on('close', () => this.#onClose(connection));
      socket.on('data', (chunk: Buffer) => {
        connection.received += chunk.toString('latin1');
        const status = statusOfWhole(connection.received);
        if (status === null) return;
        connection.received = '';
        connection.isBusy = false;
        if (status >= 300) this.#errors += 1;
        else if (connection.dueAtMs < this.#countsFromMs) this.#leadDone += 1;
        else this.#timesMs.push(performance.now() - connection.dueAtMs);
        this.#free.push(connection);
        if (this.#waitingSinceMs.length > 0) this.#sendNext();
      });
    });
  }

  /** The rest of the load goes over the other connections. */
  #onClose(connection: Connection): void {
    if (connection.isBusy) this.#errors += 1;
    const at = this.#free.indexOf(connection);
    if (at !== -1) this.#free.splice(at, 1);
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

interface Connection {
  readonly socket: Socket;
  isBusy: boolean;
  dueAtMs: number;
  received: string;
}

/** The status of a complete response; else null. */
function statusOfWhole(text: string): number | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? '0';
  return text.length >= end + 4 + Number(length) ? Number(text.slice(9, 12)) : null;
}

if (process.argv[2] === '--generate') {
  // No caller waits for the figures any more.
  process.once('disconnect', () => process.exit(1));
  process.once('message', (plan) => {
    void new Generator(plan as OpenLoopPlan).run().then((result) => process.send?.(result, () => process.exit(0)));
  });
}
