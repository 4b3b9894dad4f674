/**
 * Sends requests that must not come twice, such as tracking links: as fast as their responses come (closed loop), or when they are due
 * (open loop; a response's time then counts from the moment its request was due). Runs in a process of its own.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { KeptConnections } from './kept-connections.ts';
import type { KeptConnection } from './kept-connections.ts';

/** The requests of a run and their rate. */
export interface EventLoadPlan {
  readonly url: string;
  /** A line of this file is a request: method, path and body, with tabs between. The run ends with the last one. */
  readonly requestsFile: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** Null: as fast as responses come. */
  readonly perSecond: number | null;
  /** A connection that has been free for so long is replaced before the server might close it. Default 5,000. */
  readonly idleMsMax?: number;
}

/** Times in milliseconds. */
export interface EventLoadResult {
  readonly seconds: number;
  /** Responses with a status below 400. */
  readonly accepted: number;
  /** Responses 503 and 429, and their times from sending to response. */
  readonly refused: number;
  readonly refusedP50Ms: number;
  readonly refusedP99Ms: number;
  /** Other responses, and requests without one. */
  readonly errors: number;
  /** How many of them for which reason. */
  readonly causes: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How late the generator itself sent the requests of an open loop, 99th percentile; 0 in a closed loop. */
  readonly lateP99Ms: number;
}

/** How long the run waits for the last response. */
const RESPONSES_WITHIN_MS = 10_000;

/** Runs the plan. */
export async function runEventLoad(plan: EventLoadPlan): Promise<EventLoadResult> {
  const child = fork(new URL(import.meta.url).pathname, ['--generate'], { execArgv: ['--max-old-space-size=4096'] });
  const result = new Promise<EventLoadResult>((resolve, reject) => {
    child.once('message', (message) => resolve(message as EventLoadResult));
    child.once('exit', (code) => reject(new Error(`The generator ended with ${code}`)));
  });
  child.send(plan);
  return result;
}

class Generator {
  readonly #plan: EventLoadPlan;
  readonly #lines: Buffer;
  readonly #head: string;
  readonly #connections: KeptConnections;
  readonly #times: number[] = [];
  readonly #refusedTimes: number[] = [];
  readonly #late: number[] = [];
  #at = 0;
  #sent = 0;
  readonly #causes: Record<string, number> = {};
  #failed = 0;
  #isOver = false;

  constructor(plan: EventLoadPlan) {
    this.#plan = plan;
    this.#lines = readFileSync(plan.requestsFile);
    const head = Object.entries({ host: new URL(plan.url).host, ...plan.headers });
    this.#head = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const onResponse = (connection: KeptConnection, status: number): void => this.#receive(connection, status);
    const onLost = (): void => this.#fail('closed before the response');
    this.#connections = new KeptConnections(plan.url, { onResponse, onLost }, plan.idleMsMax);
  }

  async run(): Promise<EventLoadResult> {
    const { connections, seconds, perSecond } = this.#plan;
    await this.#connections.open(connections);
    const startMs = performance.now();
    if (perSecond === null) await this.#sendClosed(seconds);
    else await this.#sendDue(seconds, perSecond);
    const sentMs = performance.now() - startMs;
    await this.#untilResponded(performance.now() + RESPONSES_WITHIN_MS);
    this.#connections.close();
    const sorted = (values: number[]) => values.sort((left, right) => left - right);
    const [times, refused] = [sorted(this.#times), sorted(this.#refusedTimes)];
    const at = (values: readonly number[], share: number): number => values[Math.floor(values.length * share)] ?? 0;
    return {
      seconds: sentMs / 1_000,
      accepted: times.length,
      refused: refused.length,
      refusedP50Ms: at(refused, 0.5),
      refusedP99Ms: at(refused, 0.99),
      errors: this.#sent - times.length - refused.length,
      causes: { ...this.#causes, 'without response': this.#sent - times.length - refused.length - this.#failed },
      p50Ms: at(times, 0.5),
      p99Ms: at(times, 0.99),
      lateP99Ms: at(sorted(this.#late), 0.99),
    };
  }

  async #sendClosed(seconds: number): Promise<void> {
    for (let free = this.#connections.acquire(); free !== undefined; free = this.#connections.acquire())
      this.#send(free, performance.now());
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    this.#isOver = true;
  }

  async #sendDue(seconds: number, perSecond: number): Promise<void> {
    this.#isOver = true;
    const startMs = performance.now();
    const total = Math.floor(seconds * perSecond);
    for (let due = 0; due < total; ) {
      const now = performance.now();
      for (; due < total && startMs + (due * 1_000) / perSecond <= now; due += 1) {
        const dueAtMs = startMs + (due * 1_000) / perSecond;
        const free = this.#connections.acquire();
        if (free !== undefined) {
          if (!this.#send(free, dueAtMs)) return;
          continue;
        }
        // Nobody is there to send it: the user gave up.
        this.#sent += 1;
        this.#fail('no connection was free');
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  #fail(cause: string): void {
    this.#failed += 1;
    this.#causes[cause] = (this.#causes[cause] ?? 0) + 1;
  }

  async #untilResponded(giveUpAtMs: number): Promise<void> {
    const isDone = (): boolean => this.#times.length + this.#refusedTimes.length + this.#failed >= this.#sent;
    while (!isDone() && performance.now() < giveUpAtMs) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** False when there is no further request. */
  #send(connection: KeptConnection, dueAtMs: number): boolean {
    const end = this.#lines.indexOf(0x0a, this.#at);
    if (end < 0) return false;
    const [method = '', path = '', body = ''] = this.#lines.toString('latin1', this.#at, end).split('\t');
    this.#at = end + 1;
    this.#sent += 1;
    const length = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    const request = `${method} ${path} HTTP/1.1\r\n${this.#head}${length}\r\n${body}`;
    this.#connections.send(connection, request, dueAtMs);
    this.#late.push(connection.sentAtMs - dueAtMs);
    return true;
  }

  #receive(connection: KeptConnection, status: number): void {
    const now = performance.now();
    if (status < 400) this.#times.push(now - connection.dueAtMs);
    else if (status === 503 || status === 429) this.#refusedTimes.push(now - connection.sentAtMs);
    else this.#fail(`status ${status}`);
    if (this.#isOver) this.#connections.release(connection);
    else this.#send(connection, now);
  }
}

if (process.argv[2] === '--generate') {
  // The process that waited for the figures has ended.
  process.once('disconnect', () => process.exit(1));
  process.once('message', (plan) => {
    void new Generator(plan as EventLoadPlan).run().then((result) => process.send?.(result, () => process.exit(0)));
  });
}
