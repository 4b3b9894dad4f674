import { setTimeout as sleep } from 'node:timers/promises';
import { PlacardError } from '../../domain/errors.ts';
import { FULL_SHARE, restMsAt, runningAt, type ShareSource } from '../../domain/reporting/report-share.ts';

/** How much may run and wait at once. */
export interface SlotLimits {
  /** Statements that run at once, over all networks. */
  readonly runningMax: number;
  /** Statements of one network that run at once. */
  readonly runningPerNetworkMax: number;
  /** Statements of one network that wait. */
  readonly waitingPerNetworkMax: number;
  /** Statements that wait, over all networks. */
  readonly waitingMax: number;
}

/** Default limits: a network with many dashboards open must not keep the others waiting. Fewer than the queries that the built-in store runs at once. */
export const SLOT_LIMITS: SlotLimits = {
  runningMax: 4,
  runningPerNetworkMax: 2,
  waitingPerNetworkMax: 64,
  waitingMax: 512,
};

interface Waiter {
  start(): void;
}

/** How slots yield to ads. */
export interface SlotYield {
  readonly share: ShareSource;
  readonly nowMs: () => number;
  /** Default: a timer that keeps no process alive. */
  readonly rest?: (ms: number) => Promise<void>;
}

const NO_YIELD: SlotYield = { share: FULL_SHARE, nowMs: () => 0 };

/**
 * A small fair queue: networks take turns, whatever their number of queries. While reports yield to ads, fewer statements run at once, and a
 * slot rests after each one.
 */
export class QuerySlots {
  readonly #limits: SlotLimits;
  readonly #share: ShareSource;
  readonly #nowMs: () => number;
  readonly #rest: (ms: number) => Promise<void>;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, Waiter[]>();
  #runningCount = 0;
  #waitingCount = 0;

  constructor(limits: SlotLimits = SLOT_LIMITS, { share, nowMs, rest = restUnref }: SlotYield = NO_YIELD) {
    this.#limits = limits;
    this.#share = share;
    this.#nowMs = nowMs;
    this.#rest = rest;
    share.watch((after, before) => {
      if (after > before) this.#startWaiting();
    });
  }

  /** Whether reports yield to ads now: a statement takes one thread then. */
  get isYielding(): boolean {
    return this.#share.value < 1;
  }

  /** How many run and wait now. */
  stats(): { readonly running: number; readonly waiting: number } {
    return { running: this.#runningCount, waiting: this.#waitingCount };
  }

  /**
   * Runs a statement when its turn comes.
   * @throws PlacardError `overloaded` when too many wait already; the signal's reason when it is aborted before its turn
   */
  async run<T>(network: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#acquire(network, signal);
    const startedAtMs = this.#nowMs();
    try {
      return await work();
    } finally {
      this.#end(network, this.#nowMs() - startedAtMs);
    }
  }

  /** Waits for a turn that lasts until the returned function is called. @throws as `run` */
  hold(network: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const work = (): Promise<void> => new Promise((free) => resolve(free));
      this.run(network, signal, work).catch(reject);
    });
  }

  /** The caller has its result; its slot rests before the next statement starts. */
  #end(network: string, tookMs: number): void {
    const restMs = restMsAt(this.#share.value, tookMs);
    if (restMs <= 0) this.#release(network);
    else void this.#rest(restMs).finally(() => this.#release(network));
  }

  get #runningMax(): number {
    return runningAt(this.#share.value, this.#limits.runningMax);
  }

  #acquire(network: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#mayStart(network) && (this.#waiting.get(network)?.length ?? 0) === 0) {
      this.#countStart(network);
      return Promise.resolve();
    }
    const queue = this.#waiting.get(network) ?? [];
    if (queue.length >= this.#limits.waitingPerNetworkMax || this.#waitingCount >= this.#limits.waitingMax) {
      throw new PlacardError('overloaded', 'Too many report queries are waiting; ask again shortly.', {
        details: { retryAfterSeconds: 2 },
      });
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = (): void => {
        this.#leave(network, waiter);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(waiter);
      this.#waiting.set(network, queue);
      this.#waitingCount += 1;
    });
  }

  #release(network: string): void {
    this.#runningCount -= 1;
    const left = (this.#running.get(network) ?? 1) - 1;
    if (left === 0) this.#running.delete(network);
    else this.#running.set(network, left);
    this.#startWaiting();
  }

  /** The network whose turn it is is the first of the map; after its turn it goes to the end. */
  #startWaiting(): void {
    const turns = Array.from(this.#waiting);
    for (const [network, queue] of turns) {
      if (this.#runningCount >= this.#runningMax) return;
      if (!this.#mayStart(network)) continue;
      const waiter = queue.shift();
      this.#waiting.delete(network);
      if (queue.length > 0) this.#waiting.set(network, queue);
      if (waiter === undefined) continue;
      this.#waitingCount -= 1;
      this.#countStart(network);
      waiter.start();
    }
  }

  #leave(network: string, waiter: Waiter): void {
    const queue = this.#waiting.get(network) ?? [];
    const position = queue.indexOf(waiter);
    if (position === -1) return;
    queue.splice(position, 1);
    this.#waitingCount -= 1;
    if (queue.length === 0) this.#waiting.delete(network);
  }

  #mayStart(network: string): boolean {
    const own = this.#running.get(network) ?? 0;
    return this.#runningCount < this.#runningMax && own < this.#limits.runningPerNetworkMax;
  }

  #countStart(network: string): void {
    this.#runningCount += 1;
    this.#running.set(network, (this.#running.get(network) ?? 0) + 1);
  }
}

function restUnref(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}
