import { completeUntil, SHIPPING_PROGRESS_KEY } from '../../domain/events/shipping-progress.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';

/** A read value is used for this time. */
const KEPT_MS = 1_000;

/** Up to when all workers have shipped their events; null: not known, or the hot store is unavailable. Never rejects. */
export function readCompleteUntil(hot: Pick<HotStore, 'readList'>, nowMs: () => number): () => Promise<number | null> {
  let known: Promise<number | null> = Promise.resolve(null);
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - readAtMs < KEPT_MS) return known;
    readAtMs = performance.now();
    known = hot.readList(SHIPPING_PROGRESS_KEY).then(
      (entries) => completeUntil(entries, nowMs()),
      () => null,
    );
    return known;
  };
}
