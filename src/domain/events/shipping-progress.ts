/** How far a delivery worker has shipped its events: workers write it, the Reports API reads it. */
export interface ShippingProgress {
  /** Unique to one run of a worker index on its machine. */
  readonly worker: string;
  /** When it said so, epoch milliseconds. */
  readonly atMs: number;
  /** When the oldest event came in that the analytics store does not have, epoch milliseconds; null: it has all. */
  readonly oldestMs: number | null;
}

/** List of the hot store that holds what workers said, newest first. */
export const SHIPPING_PROGRESS_KEY = 'ship/progress';
/** Entries of the list: some for each of the 64 workers that there can be. */
export const SHIPPING_PROGRESS_MAX = 256;
export const SHIPPING_PROGRESS_TTL_MS = 600_000;
/** An older entry of a worker does not count: the worker has ended, or the list would have a newer one. */
const HEARD_MS = 60_000;

export function encodeShippingProgress({ worker, atMs, oldestMs }: ShippingProgress): string {
  return JSON.stringify([worker, atMs, oldestMs]);
}

/**
 * Up to when all events are in the analytics store, by what workers said: epoch milliseconds; null: none has said anything lately.
 * @param entries as the list has them, newest first
 */
export function completeUntil(entries: readonly string[], nowMs: number): number | null {
  const heard = new Set<string>();
  let until: number | null = null;
  for (const entry of entries) {
    const [worker, atMs, oldestMs] = JSON.parse(entry) as [string, number, number | null];
    if (heard.has(worker)) continue;
    heard.add(worker);
    if (nowMs - atMs > HEARD_MS) continue;
    until = Math.min(until ?? Number.POSITIVE_INFINITY, oldestMs ?? atMs);
  }
  return until;
}
