import { randomUUID } from 'node:crypto';
import {
  encodeShippingProgress,
  SHIPPING_PROGRESS_KEY,
  SHIPPING_PROGRESS_MAX,
  SHIPPING_PROGRESS_TTL_MS,
} from '../../domain/events/shipping-progress.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { ShipBacklog } from './machine-batches.ts';

const EVERY_MS = 5_000;

/** Tells reports every five seconds how far this worker has shipped its events. @returns a function that stops it */
export function publishProgress(deps: {
  readonly hot: HotStore;
  readonly backlog: () => ShipBacklog;
  readonly nowMs: () => number;
}): () => void {
  const { hot, backlog, nowMs } = deps;
  const worker = randomUUID();
  let said = 0;
  const say = (): void => {
    const atMs = nowMs();
    const value = encodeShippingProgress({ worker, atMs, oldestMs: backlog().oldestMs });
    const push = { key: SHIPPING_PROGRESS_KEY, value, max: SHIPPING_PROGRESS_MAX, ttlMs: SHIPPING_PROGRESS_TTL_MS };
    said += 1;
    // While the hot store is unavailable, reports say that they do not know.
    hot.applyOnce({ key: `ship/${worker}/${said}`, value: '', ttlMs: 1_000, pushes: [push] }).catch(() => undefined);
  };
  const timer = setInterval(say, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
