import type { CounterSubject } from './counter-key.ts';
import { nanosEach } from './earning.ts';
import type { Priced } from './earning.ts';
import type { CapCheck } from './limit.ts';
import { COUNTED_EVENTS, COUNTED_KINDS, PRICING } from '../pricing/pricing-models.ts';
import type { CountedKind, Hold } from '../pricing/pricing-models.ts';

/**
 * Reservations: what responses that went out may still use of a hard limit. Delivery adds to a reservation when it responds; the
 * event that books the delivery takes its part off, in the same atomic step. What never comes goes with its bucket.
 */
export interface Reservation {
  readonly subject: CounterSubject;
  readonly hold: Hold;
  /**
   * The amount that the committing event uses, in reserved units (see {@link reservedUnits}). Under `expected`, responses add only a part
   * of it.
   */
  readonly amount: number;
  readonly bookedBy: CountedKind;
}

/** Reservations are kept apart by when the ad was decided, so that those of links that expired can be forgotten. */
export const RESERVATION_BUCKET_MS = 600_000;
/** A bucket outlives the last link that was made in it (1 h), with 15 minutes for clocks that differ. */
export const RESERVATION_TTL_MS = RESERVATION_BUCKET_MS + 3_600_000 + 900_000;

const FIRM_PREFIX = 'r/';

/** The bucket of an instant. */
export function reservationBucket(decidedAtMs: number): number {
  return Math.floor(decidedAtMs / RESERVATION_BUCKET_MS);
}

/** Whether what was decided then still holds its reservations, by a clock that shows `nowMs`. */
export function isReservationOpen(decidedAtMs: number, nowMs: number): boolean {
  return nowMs < reservationBucket(decidedAtMs) * RESERVATION_BUCKET_MS + RESERVATION_TTL_MS;
}

/** The counter of reservations on one subject by ads that were decided in one bucket. */
export function reservationKey(
  { workspaceId, scope, id, kind }: CounterSubject,
  at: { readonly hold: Hold; readonly bucket: number },
): string {
  return `${at.hold === 'firm' ? FIRM_PREFIX : 'x/'}${workspaceId}/${scope}/${id}/${kind}/${at.bucket}`;
}

/** Whether a counter holds firm reservations. */
export function isFirmReservation(key: string): boolean {
  return key.startsWith(FIRM_PREFIX);
}

/** How many reserved units one unit of a counter is: rare events are expected in millionths. */
export function reservedUnits(kind: CounterSubject['kind']): number {
  return holdsOn(kind).includes('firm') ? 1 : 1_000_000;
}

/** The holds that limits on such a counter may have. */
export function holdsOn(kind: CounterSubject['kind']): readonly Hold[] {
  return HOLDS[kind] ?? EXPECTED;
}

const EXPECTED: readonly Hold[] = ['expected'];
const HOLDS: Readonly<Partial<Record<CounterSubject['kind'], readonly Hold[]>>> = {
  spend: ['firm', 'expected'],
  ...Object.fromEntries(COUNTED_KINDS.map((kind) => [COUNTED_EVENTS[kind].counter, [COUNTED_EVENTS[kind].hold]])),
};

/** A bit for each kind of limit; those that are used most take one byte in a token. */
const LIMIT_BITS: Readonly<Partial<Record<string, Readonly<Partial<Record<string, number>>>>>> = {
  li: { imp: 1, spend: 2, clk: 4, view: 128, conv: 256 },
  ca: { imp: 8, spend: 16, clk: 32 },
  ad: { spend: 64 },
};
/** Of all that a line item can be limited by. */
export const ALL_LIMITS = 511;

/** Which counters of a line item and its owners these limits bind, as bits: what a response makes reservations on. */
export function limitBits(checks: readonly CapCheck[]): number {
  let bits = 0;
  for (const { subject } of checks) bits |= limitBit(subject);
  return bits;
}

/** The bit of a limited counter in {@link limitBits}; 0 for one that nothing limits. */
export function limitBit({ scope, kind }: CounterSubject): number {
  return LIMIT_BITS[scope]?.[kind] ?? 0;
}

/** The reservations of one response: one for each limited counter of its line item. */
export function listReservations(checks: readonly CapCheck[], ad: Priced): Reservation[] {
  const found = new Map<string, Reservation>();
  for (const { subject } of checks) {
    const key = `${subject.scope}/${subject.id}/${subject.kind}`;
    if (found.has(key)) continue;
    const reservation = subject.kind === 'spend' ? reserveMoney(subject, ad) : reserveEvent(subject);
    if (reservation !== null) found.set(key, reservation);
  }
  return [...found.values()];
}

/** Impressions and viewable impressions earn for as long as a link lives; FLAT is booked by the day, and checked then. */
function reserveMoney(subject: CounterSubject, ad: Priced): Reservation | null {
  const { event, hold } = PRICING[ad.pricingModel];
  const amount = Number(nanosEach(ad));
  return event === null || amount === 0 ? null : { subject, hold, amount, bookedBy: event };
}

function reserveEvent(subject: CounterSubject): Reservation | null {
  const bookedBy = COUNTED_KINDS.find((kind) => COUNTED_EVENTS[kind].counter === subject.kind);
  if (bookedBy === undefined) return null;
  return { subject, hold: COUNTED_EVENTS[bookedBy].hold, amount: reservedUnits(subject.kind), bookedBy };
}
