import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import type { CounterSubject } from '../../domain/money/counter-key.ts';
import type { EventRow } from '../../domain/events/event.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import type { Nanos } from '../../domain/money/money.ts';
import { RESERVATION_TTL_MS, reservationBucket, reservationKey } from '../../domain/money/reservation.ts';
import type { CounterIncrement, HotStore } from '../../storage/hot/hot-store.ts';
import { isSameCounter, readHeadroom } from '../../storage/hot/limit-headroom.ts';
import type { EventRecorder, Recorded } from '../recording/recorder.ts';
import type { Claim } from '../spool/spool-line.ts';

/** Dependencies of billing. */
export interface BillingDeps {
  readonly hot: HotStore;
  readonly nowMs: () => number;
  /** By which reservations expire; absent: `nowMs`. */
  readonly expiryNowMs?: () => number;
  readonly log: Log;
}

/** The possible earning of an event, and the reservations that its claim releases. */
export interface Bill {
  readonly nanos: Nanos;
  readonly releases: readonly CounterIncrement[];
}

/** Earns nothing. */
export const NO_BILL: Bill = { nanos: 0n, releases: [] };

/** Events that arrive together may each count the other's reservation as used budget: they retry a moment apart. */
const TRIES_MAX = 4;
const PAUSE_MS = 5;

/**
 * Reserves what an event would earn on all money limits before the event is recorded: the whole amount, or the event is counted and earns
 * nothing. For events whose price no response has reserved (clicks, conversions, days of FLAT, late viewable impressions). A crash in
 * between cannot exceed a limit: an amount that was reserved and not committed comes back with its bucket.
 * @param limits null = the line item has left the snapshot: the event earns nothing, since a budget may be used up by now
 * @param timeMs time of the event, which decides the day
 * @returns null when the hot store is unavailable
 */
export async function reserveBill(
  { hot, nowMs, expiryNowMs = nowMs, log }: BillingDeps,
  limits: readonly CapCheck[] | null,
  { nanos, timeMs }: { nanos: Nanos; timeMs: number },
): Promise<Bill | null> {
  if (limits === null) return NO_BILL;
  const checks = limits.filter(({ subject }) => subject.kind === 'spend');
  if (nanos === 0n || checks.length === 0) return { nanos, releases: [] };
  const subjects = distinct(checks.map(({ subject }) => subject));
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (tries > 0) await sleep(PAUSE_MS * tries * (1 + Math.random()));
    const bucket = reservationBucket(nowMs());
    const reserved = subjects.map((subject) => ({
      key: reservationKey(subject, { hold: 'firm', bucket }),
      by: nanos,
      ttlMs: RESERVATION_TTL_MS,
    }));
    const releases = reserved.map((increment) => ({ ...increment, by: -nanos }));
    try {
      const values = await hot.addToCounters(reserved);
      const headrooms = await Promise.all(
        subjects.map((subject, at) => {
          const own = { key: reserved[at]?.key ?? '', value: values[at] ?? 0n };
          return readHeadroom(hot, { subject, checks, holds: ['firm'], atMs: timeMs, nowMs: expiryNowMs(), own });
        }),
      );
      if (headrooms.every((headroom) => headroom >= 0)) return { nanos, releases };
      await hot.addToCounters(releases);
    } catch (error) {
      log.event('billing.remaining_unknown', { err: error });
      return null;
    }
  }
  return NO_BILL;
}

/**
 * Records an event and counts it with the amount that was reserved for it. The amount is released when it does not become revenue:
 * the event had been counted before, so its claim did nothing, or the disk refused it.
 * @throws PlacardError as {@link EventRecorder.record}
 */
export function recordBilled(
  deps: Pick<BillingDeps, 'hot' | 'log'> & { readonly recorder: EventRecorder },
  event: BilledEvent,
): Promise<Recorded> {
  return event.bill.releases.length === 0
    ? deps.recorder.record(event.row, event.claim, event.touches)
    : recordHeld(deps, event);
}

/** An event with its claim and amount. */
export interface BilledEvent {
  readonly row: EventRow;
  readonly claim: Claim;
  readonly bill: Bill;
  /** As {@link EventRecorder.record} gets them. */
  readonly touches?: readonly string[];
}

async function recordHeld(...[deps, event]: Parameters<typeof recordBilled>): Promise<Recorded> {
  let first = false;
  try {
    ({ first } = await deps.recorder.record(event.row, event.claim, event.touches));
  } finally {
    if (!first) await releaseBill(deps, event.bill);
  }
  return { first };
}

/** Gives back what an event reserved and does not earn. Never throws: an amount that cannot be released expires with its bucket. */
export async function releaseBill({ hot, log }: Pick<BillingDeps, 'hot' | 'log'>, { releases }: Bill): Promise<void> {
  if (releases.length === 0) return;
  try {
    await hot.addToCounters(releases);
  } catch (error) {
    log.event('billing.release_failed', { err: error });
  }
}

function distinct(subjects: readonly CounterSubject[]): CounterSubject[] {
  return subjects.filter((one, at) => subjects.findIndex((other) => isSameCounter(one, other)) === at);
}
