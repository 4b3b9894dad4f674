import { localDay } from '../../domain/time/calendar.ts';
import type { CounterSubject } from '../../domain/money/counter-key.ts';
import { capCounterKey } from '../../domain/money/limit.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import {
  RESERVATION_BUCKET_MS,
  RESERVATION_TTL_MS,
  reservationBucket,
  reservationKey,
  reservedUnits,
} from '../../domain/money/reservation.ts';
import type { Hold } from '../../domain/pricing/pricing-models.ts';
import type { HotStore } from './hot-store.ts';

/** Reservations may be in this many buckets before the present one, and in one ahead (of a clock that runs ahead). */
const BUCKETS_BACK = Math.ceil(RESERVATION_TTL_MS / RESERVATION_BUCKET_MS);

/** A limited counter with its limits, and the time of the query. */
export interface HeadroomQuery {
  readonly subject: CounterSubject;
  /** All limits on that counter, of the day and of all time; others are left out. */
  readonly checks: readonly CapCheck[];
  /** The reservations that count as used. */
  readonly holds: readonly Hold[];
  /** Whose day it is: epoch milliseconds of the ad or event. */
  readonly atMs: number;
  /** By which reservations expire. A clock that was set ahead makes `atMs` later: what was reserved before still counts. */
  readonly nowMs: number;
  /** The value of one reservation counter right after our own addition; later additions are checked by those who make them. */
  readonly own?: { readonly key: string; readonly value: bigint };
}

/**
 * The headroom of the tightest limit on a counter, in reserved units, after deliveries and reservations. Negative when it was
 * exceeded; `MAX_SAFE_INTEGER` without a limit.
 * @throws what the hot store throws
 */
export async function readHeadroom(hot: HotStore, query: HeadroomQuery): Promise<number> {
  const { subject, holds, atMs, nowMs, own } = query;
  const checks = query.checks.filter((check) => isSameCounter(check.subject, subject));
  const buckets = openBuckets(nowMs, atMs);
  // Reservations first: an event between the two reads is then seen twice, not lost.
  const reservations = holds.flatMap((hold) => buckets.map((bucket) => reservationKey(subject, { hold, bucket })));
  const counters = checks.map((check) =>
    capCounterKey(check, check.timezone === null ? '' : localDay(atMs, check.timezone)),
  );
  const values = await hot.readCounters([...reservations, ...counters]);
  let reserved = 0;
  for (const [at, key] of reservations.entries()) {
    const value = key === own?.key ? own.value : (values[at] ?? 0n);
    reserved += Math.max(0, Number(value));
  }
  const units = reservedUnits(subject.kind);
  let left = Number.MAX_SAFE_INTEGER;
  for (const [at, check] of checks.entries()) {
    left = Math.min(left, (check.limit - Number(values[reservations.length + at] ?? 0n)) * units - reserved);
  }
  return left;
}

/** Whether two names are of the same counter, whatever the span. */
export function isSameCounter(one: CounterSubject, other: CounterSubject): boolean {
  return (
    one.id === other.id && one.kind === other.kind && one.scope === other.scope && one.workspaceId === other.workspaceId
  );
}

/** The buckets that are open now, and those around an instant ahead of it. */
function openBuckets(nowMs: number, atMs: number): number[] {
  const present = reservationBucket(nowMs);
  const open = Array.from({ length: BUCKETS_BACK + 2 }, (_none, at) => present - BUCKETS_BACK + at);
  const ahead = reservationBucket(atMs);
  return [...open, ...[ahead - 1, ahead, ahead + 1].filter((bucket) => bucket > present + 1)];
}
