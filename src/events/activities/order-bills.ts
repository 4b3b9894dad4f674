import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlacardError } from '../../domain/errors.ts';
import type { CounterIncrement, HotStore } from '../../storage/hot/hot-store.ts';
import { eventKey } from '../recording/recorder.ts';

/** An order of an advertiser, as its events name it. */
export interface NamedOrder {
  readonly workspaceId: number;
  /** The advertiser whose ad is credited: order references of two advertisers may be the same text. */
  readonly advertiserId: string;
  readonly ord: string;
}

/** How long an order reference is remembered: a repeat after more than 400 days counts, and is billed, again. */
export const ORDER_CLAIM_TTL_MS = 400 * 86_400_000;
/** How long one event may hold the bill of an order while it is recorded; a process that died held it no longer than this. */
const HOLD_MS = 60_000;
/** How long another event of the same order waits for that. */
const WAIT_STEP_MS = 20;
const WAIT_STEPS_MAX = 25;

/** The counter of an order's bills: 0 or 1. */
export function orderBillKey({ workspaceId, advertiserId, ord }: NamedOrder): string {
  return `ob/${workspaceId}/${advertiserId}/${createHash('sha256').update(ord).digest('hex').slice(0, 32)}`;
}

/** Marks the order as billed. Part of the claim of the event that earns, so that both are counted or neither is. */
export function orderBillIncrement(order: NamedOrder): CounterIncrement {
  return { key: orderBillKey(order), by: 1n, ttlMs: ORDER_CLAIM_TTL_MS };
}

/** Whether an event of the order has earned its price. */
export async function isOrderBilled(hot: Pick<HotStore, 'readCounters'>, order: NamedOrder): Promise<boolean> {
  return ((await hot.readCounters([orderBillKey(order)]))[0] ?? 0n) > 0n;
}

/**
 * Whether this event may earn the price of its order: one event does, whatever activities the order passes. While another event of the
 * order is being recorded, this one waits for it.
 * @throws PlacardError `unavailable` when the other event is not on disk in time, and what the hot store throws
 */
export async function claimOrderBill(
  hot: Pick<HotStore, 'applyOnce' | 'readCounters' | 'isCounted'>,
  order: NamedOrder,
  eventId: string,
): Promise<boolean> {
  const key = orderBillKey(order);
  for (let step = 0; step < WAIT_STEPS_MAX; step += 1) {
    if (await isOrderBilled(hot, order)) return false;
    const holder = await hot.applyOnce({ key, value: eventId, ttlMs: HOLD_MS });
    // The event before may have been counted between the two calls.
    if (holder.first || holder.value === eventId) return !(await isOrderBilled(hot, order));
    if (await hot.isCounted(eventKey(holder.value))) return false;
    await sleep(WAIT_STEP_MS);
  }
  throw new PlacardError('unavailable', 'Another event of this order is being recorded; send the event again shortly.');
}
