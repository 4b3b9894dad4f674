import { choosingEvent } from '../../src/domain/booking/optimisation-goal.ts';
import { localDay } from '../../src/domain/time/calendar.ts';
import {
  DAY_COUNTER_TTL_MS,
  dayCounterKey,
  LIFETIME_COUNTER_TTL_MS,
  lifetimeCounterKey,
  rateUnitOf,
  unitRateId,
} from '../../src/domain/money/counter-key.ts';
import type { CounterKind, CounterScope } from '../../src/domain/money/counter-key.ts';
import { COUNTED_EVENTS } from '../../src/domain/pricing/pricing-models.ts';
import { earnedNanos, earnedPriceMicros } from '../../src/domain/money/earning.ts';
import {
  listReservations,
  RESERVATION_TTL_MS,
  reservationBucket,
  reservationKey,
} from '../../src/domain/money/reservation.ts';
import type { CounterIncrement } from '../../src/storage/hot/hot-store.ts';
import type { Placement } from '../../src/delivery/decision/decision.ts';
import { drawDelay } from '../../src/delivery/insight/forecast/seeded-random.ts';

/** How users behave after a response. */
export interface Audience {
  /** The chance that the ad is shown, and the mean delay. */
  readonly shownChance: number;
  readonly shownAfterMs: number;
  /** Of the ads that are shown. */
  readonly viewableChance: number;
  readonly clickChance: number;
  /** The chance of a click on one ad that is shown; absent: `clickChance` on each. */
  readonly clickChanceOf?: (placement: Placement) => number;
  /** The chance of a conversion of an ad that is shown, and the mean delay; absent: nobody converts. */
  readonly convertChance?: number;
  readonly convertAfterMs?: number;
}

export type UserEventKind = 'impression' | 'viewable' | 'click' | 'activity';

/** One event on its way. */
export interface UserEvent {
  readonly atMs: number;
  readonly kind: UserEventKind;
  readonly placement: Placement;
  readonly decidedAtMs: number;
}

const VIEWABLE_AFTER_MS = 3_000;
const CLICK_AFTER_MS = 20_000;
const LINK_WINDOW_MS = 3_600_000;
/** The events of users on an ad. Impressions after the expiry of their link do not count and are left out. */
export function drawEvents(
  placement: Placement,
  decidedAtMs: number,
  audience: Audience,
  random: () => number,
): UserEvent[] {
  if (random() >= audience.shownChance) return [];
  const shownAtMs = decidedAtMs + drawDelay(audience.shownAfterMs, random);
  if (shownAtMs - decidedAtMs > LINK_WINDOW_MS) return [];
  const events: UserEvent[] = [{ atMs: shownAtMs, kind: 'impression', placement, decidedAtMs }];
  if (random() < audience.viewableChance) {
    events.push({ atMs: shownAtMs + drawDelay(VIEWABLE_AFTER_MS, random), kind: 'viewable', placement, decidedAtMs });
  }
  if (random() < (audience.clickChanceOf?.(placement) ?? audience.clickChance)) {
    events.push({ atMs: shownAtMs + drawDelay(CLICK_AFTER_MS, random), kind: 'click', placement, decidedAtMs });
  }
  const { convertChance = 0, convertAfterMs = 0 } = audience;
  if (convertChance > 0 && random() < convertChance)
    events.push({ atMs: shownAtMs + drawDelay(convertAfterMs, random), kind: 'activity', placement, decidedAtMs });
  return events;
}

/** The increments that counting such an event adds to the hot store, as in the events module. */
export function countUserEvent(event: UserEvent, workspaceId: number, networkTimezone: string): CounterIncrement[] {
  const { kind, placement, decidedAtMs, atMs } = event;
  const { lineItem, bidMicros } = placement;
  const { booked, campaign, advertiser } = lineItem;
  const ad = { pricingModel: lineItem.pricingModel, priceMicros: earnedPriceMicros(lineItem, bidMicros) };
  const nanos = earnedNanos(kind, ad);
  const scopes: readonly [CounterScope, string, string][] = [
    ['li', booked.id, booked.timezone],
    ['ca', campaign.id, networkTimezone],
    ['ad', advertiser.id, networkTimezone],
  ];
  const amounts: [CounterKind, number][] = [[COUNTED_EVENTS[kind].counter, 1]];
  if (nanos > 0n) amounts.push(['spend', Number(nanos)]);
  const counted = scopes.flatMap(([scope, id, timezone]) =>
    amounts.flatMap(([counter, by]) => {
      const subject = { workspaceId, scope, id, kind: counter };
      const day = dayCounterKey(subject, localDay(atMs, timezone));
      return [
        { key: lifetimeCounterKey(subject), by: BigInt(by), ttlMs: LIFETIME_COUNTER_TTL_MS },
        { key: day, by: BigInt(by), ttlMs: DAY_COUNTER_TTL_MS },
      ];
    }),
  );
  const released = listReservations(lineItem.capChecks, ad)
    .filter(({ bookedBy }) => bookedBy === kind)
    .map(({ subject, hold, amount }) => ({
      key: reservationKey(subject, { hold, bucket: reservationBucket(decidedAtMs) }),
      by: BigInt(-amount),
      ttlMs: RESERVATION_TTL_MS,
    }));
  return [...counted, ...unitIncrements(event, workspaceId), ...released];
}

/** What the rate of the unit learns, as in the events module. */
function unitIncrements({ kind, placement }: UserEvent, workspaceId: number): CounterIncrement[] {
  const { booked } = placement.lineItem;
  const chosen = choosingEvent(booked);
  if (chosen === null || (kind !== 'impression' && kind !== chosen)) return [];
  const id = unitRateId(chosen, booked.id, rateUnitOf(placement.slot));
  const key = lifetimeCounterKey({ workspaceId, scope: 'un', id, kind: COUNTED_EVENTS[kind].counter });
  return [{ key, by: 1n, ttlMs: LIFETIME_COUNTER_TTL_MS }];
}
