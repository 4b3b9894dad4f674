/**
 * Sends requests that must not come twice, such as tracking links: as fast as their responses come (closed loop), or when they are due
 * (open loop; a response's time then counts from the moment its request was due). Runs in a process of its own.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

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

interface Connection {
  readonly socket: Socket;
  isBusy: boolean;
  dueAtMs: number;
  sentAtMs: number;
  received: string;
}

class Generator {
  readonly #plan: EventLoadPlan;
  readonly #lines: Buffer;
  readonly #head: string;
  readonly #free: Connection[] = [];
  readonly #times: number[] = [];
  readonly #refusedTimes: number[] = [];
  readonly #late: number[] = [];
  #at = 0;
  #sent = 0;
  #errors = 0;
  #isOver = false;

  constructor(plan: EventLoadPlan) {
    this.#plan = plan;
    this.#lines = readFileSync(plan.requestsFile);
    const head = Object.entries({ host: new URL(plan.url).host, ...plan.headers });
    this.#head = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }

  async run(): Promise<EventLoadResult> {
    const { connections, seconds, perSecond } = this.#plan;
    const opened: Connection[] = [];
    // A few at a time: a full accept queue drops the others.
    for (let from = 0; from < connections; from += 100)
      opened.push(
        ...(await Promise.all(Array.from({ length: Math.min(100, connections - from) }, () => this.#open()))),
      );
    const startMs = performance.now();
    if (perSecond === null) await this.#sendClosed(opened, seconds);
    else await this.#sendDue(opened, { seconds, perSecond });
    const sentMs = performance.now() - startMs;
    await this.#untilResponded(performance.now() + RESPONSES_WITHIN_MS);
    for (const { socket } of opened) socket.destroy();
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
      p50Ms: at(times, 0.5),
      p99Ms: at(times, 0.99),
      lateP99Ms: at(sorted(this.#late), 0.99),
    };
  }

  async #sendClosed(opened: readonly Connection[], seconds: number): Promise<void> {
    for (const one of opened) this.#send(one, performance.now());
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    this.#isOver = true;
  }

  async #sendDue(
    opened: readonly Connection[],
    { seconds, perSecond }: { seconds: number; perSecond: number },
  ): Promise<void> {
    this.#isOver = true;
    this.#free.push(...opened);
    const startMs = performance.now();
    const total = Math.floor(seconds * perSecond);
    for (let due = 0; due < total; ) {
      const now = performance.now();
      for (; due < total && startMs + (due * 1_000) / perSecond <= now; due += 1) {
        const dueAtMs = startMs + (due * 1_000) / perSecond;
        const free = this.#free.pop();
        // Nobody is there to send it: the user gave up.
        if (free === undefined) this.#sent += 1;
        else if (!this.#send(free, dueAtMs)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  async #untilResponded(giveUpAtMs: number): Promise<void> {
    const isDone = (): boolean => this.#times.length + this.#refusedTimes.length + this.#errors >= this.#sent;
    while (!isDone() && performance.now() < giveUpAtMs) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** False when there is no further request. */
  #send(connection: Connection, dueAtMs: number): boolean {
    const end = this.#lines.indexOf(0x0a, this.#at);
    if (end < 0) return false;
    const [method = '', path = '', body = ''] = this.#lines.toString('latin1', this.#at, end).split('\t');
    this.#at = end + 1;
    this.#sent += 1;
    connection.isBusy = true;
    connection.dueAtMs = dueAtMs;
    connection.sentAtMs = performance.now();
    this.#late.push(connection.sentAtMs - dueAtMs);
    const length = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    connection.socket.write(`${method} ${path} HTTP/1.1\r\n${this.#head}${length}\r\n${body}`, 'latin1');
    return true;
  }

  #open(): Promise<Connection> {
    const { hostname, port } = new URL(this.#plan.url);
    return new Promise((resolve, reject) => {
      const socket: Socket = connect({ host: hostname, port: Number(port) }, () => resolve(connection));
      const connection: Connection = { socket, isBusy: false, dueAtMs: 0, sentAtMs: 0, received: '' };
      socket.setNoDelay(true).once('error', reject);
      socket.on('close', () => {
        if (connection.isBusy) this.#errors += 1;
        const at = this.#free.indexOf(connection);
        if (at !== -1) this.#free.splice(at, 1);
      });
      socket.on('data', (chunk: Buffer) => this.#receive(connection, chunk.toString('latin1')));
    });
  }

  #receive(connection: Connection, text: string): void {
    connection.received += text;
    const status = statusOfWhole(connection.received);
    if (status === null) return;
    connection.received = '';
    connection.isBusy = false;
    const now = performance.now();
    if (status < 400) this.#times.push(now - connection.dueAtMs);
    else if (status === 503 || status === 429) this.#refusedTimes.push(now - connection.sentAtMs);
    else this.#errors += 1;
    if (this.#isOver) this.#free.push(connection);
    else this.#send(connection, now);
  }
}

/** The status of a complete response; else null. */
function statusOfWhole(text: string): number | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? '0';
  return text.length >= end + 4 + Number(length) ? Number(text.slice(9, 12)) : null;
}

if (process.argv[2] === '--generate') {
  // The process that waited for the figures has ended.
  process.once('disconnect', () => process.exit(1));
  process.once('message', (plan) => {
    void new Generator(plan as EventLoadPlan).run().then((result) => process.send?.(result, () => process.exit(0)));
  });
}
