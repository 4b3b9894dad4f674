import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { WorkerLoad } from '../../domain/reporting/report-share.ts';

/** How often a worker reports its load, milliseconds. */
const REPORT_EVERY_MS = 500;
/** The event loop is looked at so often, milliseconds: 50 wake-ups a second. */
const RESOLUTION_MS = 20;
/** A worker that needs less than this part of a core has no wait worth a share. */
const DEMAND_MIN = 0.05;

/** Nanoseconds that a thread ran, and that it waited for a core while it could run, since it started. */
export interface ThreadTimes {
  readonly ranNs: number;
  readonly waitedNs: number;
}

/** Times of the calling thread; null where the system does not count them (Linux does). */
export function readThreadTimes(): ThreadTimes | null {
  try {
    return parseThreadTimes(readFileSync('/proc/thread-self/schedstat', 'latin1'));
  } catch {
    return null;
  }
}

/** Reads Linux's `schedstat`: time on a core, time in the run queue, turns. */
export function parseThreadTimes(text: string): ThreadTimes | null {
  const [ranNs = Number.NaN, waitedNs = Number.NaN] = text.trim().split(' ').map(Number);
  return Number.isFinite(ranNs) && Number.isFinite(waitedNs) ? { ranNs, waitedNs } : null;
}

/** The part of the CPU time needed between two readings that was waited for; 0 for a thread that needed hardly any. */
export function waitShareOf(before: ThreadTimes, after: ThreadTimes, elapsedMs: number): number {
  const waitedNs = Math.max(0, after.waitedNs - before.waitedNs);
  const neededNs = waitedNs + Math.max(0, after.ranNs - before.ranNs);
  return neededNs <= elapsedMs * 1e6 * DEMAND_MIN ? 0 : waitedNs / neededNs;
}

/** Measures the load of this process's event loop until it is stopped, at a cost of some microseconds a second. */
export class WorkerLoadWatch {
  readonly #send: (load: WorkerLoad) => void;
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;
  #before = readThreadTimes();
  #beforeMs = performance.now();

  constructor(send: (load: WorkerLoad) => void) {
    this.#send = send;
    this.#delays.enable();
    this.#timer = setInterval(() => this.#report(), REPORT_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#delays.disable();
  }

  #report(): void {
    const nowMs = performance.now();
    const after = readThreadTimes();
    const waitShare =
      this.#before === null || after === null ? null : waitShareOf(this.#before, after, nowMs - this.#beforeMs);
    const lagMs = this.#delays.count === 0 ? 0 : Math.max(0, this.#delays.percentile(99) / 1e6 - RESOLUTION_MS);
    this.#delays.reset();
    [this.#before, this.#beforeMs] = [after, nowMs];
    this.#send({ lagMs, waitShare });
  }
}
