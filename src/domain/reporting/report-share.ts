/** How late the event loop of a delivery worker was in its last interval. */
export interface WorkerLoad {
  /** 99th percentile of how late the event loop was, milliseconds. */
  readonly lagMs: number;
  /** The part of the CPU time the worker needed that it waited for, 0 to 1; null where the system does not tell. */
  readonly waitShare: number | null;
}

/** When reports yield, and how fast. Times in milliseconds. */
export interface ShareRule {
  /** The share that reports always have. */
  readonly floor: number;
  /** A worker that waits for at least this part of its CPU time is late. */
  readonly lateWaitShare: number;
  /** A worker that waits for at most this part of its CPU time is on time. */
  readonly calmWaitShare: number;
  /** The same by the lag of the event loop, where the wait is not known. */
  readonly lateLagMs: number;
  readonly calmLagMs: number;
  /** All workers are on time for so long before the share rises. */
  readonly calmMs: number;
  /** The shortest time between two changes. */
  readonly stepMs: number;
  /** How much the share rises in one step. A late worker halves it. */
  readonly rise: number;
  /** A worker that has not reported for so long no longer counts. */
  readonly staleMs: number;
}

/** The default rule: from full to the floor in one and a half seconds, and back in some eleven. */
export const SHARE_RULE: ShareRule = {
  floor: 1 / 8,
  lateWaitShare: 0.1,
  calmWaitShare: 0.04,
  lateLagMs: 30,
  calmLagMs: 15,
  calmMs: 2_000,
  stepMs: 500,
  rise: 0.05,
  staleMs: 5_000,
};

/** Longest rest after one statement or between two slices of a result, milliseconds. */
const REST_MS_MAX = 2_000;
/** A lower share than this is kept by rests: one statement at a time is the least that can run. */
const RESTS_BELOW = 0.25;

/** The share of their full speed at which reports run now. */
export interface ShareSource {
  /** 1: full speed. */
  readonly value: number;
  /** Calls the listener after each change. */
  watch(listener: ShareListener): void;
}

/** Called with the share after and before a change. */
export type ShareListener = (share: number, before: number) => void;

/** Reports at full speed, always. */
export const FULL_SHARE: ShareSource = { value: 1, watch: () => undefined };

/** How many of at most `max` statements run at once; always at least one. */
export function runningAt(share: number, max: number): number {
  return Math.max(1, Math.min(max, Math.round(max * share)));
}

/** How long a part of a report rests after `tookMs` of work, milliseconds. */
export function restMsAt(share: number, tookMs: number): number {
  if (share >= RESTS_BELOW) return 0;
  return Math.min(REST_MS_MAX, Math.max(0, tookMs) * (RESTS_BELOW / share - 1));
}

interface KnownLoad {
  readonly load: WorkerLoad;
  readonly atMs: number;
}

/**
 * The share of their full speed at which reports run, so that ads on the same machine are not late: a late worker halves it, and it rises
 * in small steps while all workers are on time. Between late and on time it stays. Changes nothing while no worker reports.
 */
export class ReportShare implements ShareSource {
  readonly #rule: ShareRule;
  readonly #nowMs: () => number;
  readonly #listeners: ShareListener[] = [];
  readonly #loads = new Map<number, KnownLoad>();
  #share = 1;
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #calmSinceMs: number | null = null;

  constructor(nowMs: () => number, rule: ShareRule = SHARE_RULE) {
    this.#nowMs = nowMs;
    this.#rule = rule;
  }

  watch(listener: ShareListener): void {
    this.#listeners.push(listener);
  }

  /** Full again when the workers have stopped reporting. */
  get value(): number {
    this.#dropStale(this.#nowMs());
    if (this.#loads.size === 0) this.#set(1);
    return this.#share;
  }

  /** The worst of the workers that report; null: none does. */
  get worst(): WorkerLoad | null {
    const loads = Array.from(this.#loads.values(), ({ load }) => load);
    if (loads.length === 0) return null;
    const waits = loads.flatMap(({ waitShare }) => (waitShare === null ? [] : [waitShare]));
    return {
      lagMs: Math.max(...loads.map(({ lagMs }) => lagMs)),
      waitShare: waits.length === 0 ? null : Math.max(...waits),
    };
  }

  /** Takes what a worker measured, and changes the share at most once a step. */
  record(workerIndex: number, load: WorkerLoad): void {
    const nowMs = this.#nowMs();
    this.#loads.set(workerIndex, { load, atMs: nowMs });
    this.#dropStale(nowMs);
    const loads = Array.from(this.#loads.values(), (known) => known.load);
    const isCalm = loads.every((one) => this.#isCalm(one));
    this.#calmSinceMs = isCalm ? (this.#calmSinceMs ?? nowMs) : null;
    if (nowMs - this.#changedAtMs < this.#rule.stepMs) return;
    if (loads.some((one) => this.#isLate(one))) this.#set(Math.max(this.#rule.floor, this.#share / 2));
    else if (this.#calmSinceMs !== null && nowMs - this.#calmSinceMs >= this.#rule.calmMs) {
      this.#set(Math.min(1, this.#share + this.#rule.rise));
    }
  }

  #isLate({ lagMs, waitShare }: WorkerLoad): boolean {
    return waitShare === null ? lagMs >= this.#rule.lateLagMs : waitShare >= this.#rule.lateWaitShare;
  }

  #isCalm({ lagMs, waitShare }: WorkerLoad): boolean {
    return waitShare === null ? lagMs <= this.#rule.calmLagMs : waitShare <= this.#rule.calmWaitShare;
  }

  #dropStale(nowMs: number): void {
    for (const [worker, { atMs }] of this.#loads) {
      if (nowMs - atMs > this.#rule.staleMs) this.#loads.delete(worker);
    }
  }

  #set(share: number): void {
    if (share === this.#share) return;
    const before = this.#share;
    this.#share = share;
    this.#changedAtMs = this.#nowMs();
    for (const listener of this.#listeners) listener(share, before);
  }
}
