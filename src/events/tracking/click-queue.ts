import { PlacardError } from '../../domain/errors.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import type { Log } from '../../domain/log/log.ts';
import type { InvalidReason } from '../recording/event-rows.ts';
import type { AdEvents } from './ad-events.ts';

/** A click whose user was redirected. */
export interface Click {
  readonly ad: ServedAd;
  readonly reason: InvalidReason;
  /** When the user clicked: it is counted for this time however late it is recorded. */
  readonly timeMs: number;
}

/** Records clicks, and keeps those that the disk refuses until it takes them. */
export interface ClickQueue {
  /**
   * Resolves when the click is on disk, or at once where it has to wait: while others wait for the disk, a click waits behind them. A click
   * that cannot wait is lost, counted and logged. Never rejects.
   */
  record(click: Click): Promise<void>;
  /** Clicks that wait for the disk. */
  waiting(): number;
  /** Tries once more; what the disk still refuses is lost. */
  stop(): Promise<void>;
}

/** Dependencies of the queue. */
export interface ClickQueueDeps {
  readonly adEvents: Pick<AdEvents, 'click'>;
  readonly log: Log;
  readonly countLost: (clicks: number) => void;
  /** Most clicks that wait, each about 1.5 kB. Default 10,000. */
  readonly clicksMax?: number;
  /** Time to the first retry in milliseconds, which doubles up to `RETRY_MS_MAX`. Default 250. */
  readonly retryMs?: number;
}

const RETRY_MS_MAX = 5_000;
/** Clicks that are tried at once, after one that the disk took. */
const TOGETHER_MAX = 100;
/** Lost clicks are logged together, at most this often. */
const LOG_EVERY_MS = 10_000;

/** Makes the queue of one worker. */
export function createClickQueue(deps: ClickQueueDeps): ClickQueue {
  return new MemoryClickQueue(deps);
}

class MemoryClickQueue implements ClickQueue {
  readonly #deps: ClickQueueDeps;
  readonly #clicksMax: number;
  readonly #retryMs: number;
  #queue: Click[] = [];
  #timer: NodeJS.Timeout | null = null;
  #delayMs = 0;
  #draining: Promise<void> | null = null;
  #lost = 0;
  #isStopped = false;
  #loggedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: ClickQueueDeps) {
    this.#deps = deps;
    this.#clicksMax = deps.clicksMax ?? 10_000;
    this.#retryMs = deps.retryMs ?? 250;
  }

  async record(click: Click): Promise<void> {
    if (this.#queue.length > 0) return this.#wait(click);
    if ((await this.#try(click)) === 'refused') this.#wait(click);
  }

  waiting(): number {
    return this.#queue.length;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#draining;
    await this.#drain();
    this.#lose(this.#queue.length);
    this.#logLost(0);
    this.#queue = [];
  }

  #wait(click: Click): void {
    if (this.#isStopped || this.#queue.length >= this.#clicksMax) return this.#lose(1);
    this.#queue.push(click);
    if (this.#queue.length === 1 && this.#draining === null) {
      this.#deps.log.event('click.waiting');
      this.#retryLater();
    }
  }

  #retryLater(): void {
    this.#delayMs = this.#delayMs === 0 ? this.#retryMs : Math.min(RETRY_MS_MAX, this.#delayMs * 2);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#draining = this.#drain().finally(() => {
        this.#draining = null;
        if (this.#queue.length > 0 && !this.#isStopped) this.#retryLater();
        else this.#delayMs = 0;
      });
    }, this.#delayMs).unref();
  }

  /** In the order of the clicks, until the disk refuses one. */
  async #drain(): Promise<void> {
    let recorded = 0;
    for (let together = 1; this.#queue.length > 0; together = TOGETHER_MAX) {
      const batch = this.#queue.slice(0, together);
      const outcomes = await Promise.all(batch.map((click) => this.#try(click)));
      const refused = batch.filter((_click, at) => outcomes[at] === 'refused');
      recorded += batch.length - refused.length;
      this.#queue = [...refused, ...this.#queue.slice(batch.length)];
      if (refused.length > 0) return;
    }
    if (recorded > 0) this.#deps.log.event('click.recorded_late', { clicks: recorded });
  }

  async #try({ ad, reason, timeMs }: Click): Promise<'recorded' | 'refused' | 'lost'> {
    try {
      await this.#deps.adEvents.click(ad, reason, timeMs);
      return 'recorded';
    } catch (error) {
      if (error instanceof PlacardError && (error.code === 'unavailable' || error.code === 'overloaded'))
        return 'refused';
      this.#lose(1, error);
      return 'lost';
    }
  }

  #lose(clicks: number, error?: unknown): void {
    if (clicks === 0) return;
    this.#deps.countLost(clicks);
    this.#lost += clicks;
    this.#logLost(this.#isStopped ? 0 : LOG_EVERY_MS, error);
  }

  #logLost(everyMs: number, error?: unknown): void {
    const now = performance.now();
    if (this.#lost === 0 || now - this.#loggedMs < everyMs) return;
    this.#loggedMs = now;
    this.#deps.log.event('click.lost', { clicks: this.#lost, ...(error === undefined ? {} : { err: error }) });
    this.#lost = 0;
  }
}
