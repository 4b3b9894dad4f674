import type { Activity } from '../../domain/booking/inventory.ts';
import type { Touch } from '../tracking/touch.ts';

/** The touches that may have led to an event. */
export interface Touches {
  /** The click that the event names by its id, if it is known. */
  readonly namedClick: Touch | null;
  readonly clicks: readonly Touch[];
  /** Impressions of the user. */
  readonly impressions: readonly Touch[];
}

/** The touch that an event is attributed to, and the rule. */
export interface Attribution {
  readonly kind: 'click' | 'view';
  readonly touch: Touch;
}

/** How an activity credits touches. */
export type AttributionRule = Pick<Activity, 'clickWindowSeconds' | 'viewWindowSeconds' | 'advertiserId'> & {
  /** Whether the line item counts this event of the activity. */
  readonly isCounted: (lineItemId: string) => boolean;
};

/** Touches that an event may be attributed to. */
export interface CreditedTouches {
  /** The click that the event names, or none. */
  readonly named: readonly Touch[];
  readonly clicks: readonly Touch[];
  readonly impressions: readonly Touch[];
}

/**
 * The touches that an event may be attributed to. A touch after the event never counts; one at the very end of its window does. An activity
 * of one advertiser credits only touches of that advertiser's ads, even when the event names a click. Touches of line items that do not count
 * the event are left out: what is credited to a line item is what its goal counts and what it pays for.
 */
export function creditedTouches(
  { namedClick, clicks, impressions }: Touches,
  { clickWindowSeconds, viewWindowSeconds, advertiserId, isCounted }: AttributionRule,
  eventTimeMs: number,
): CreditedTouches {
  const creditedWithin = (touches: readonly Touch[], windowSeconds: number): Touch[] =>
    touches.filter(({ ad, timeMs }) => {
      const ageMs = eventTimeMs - timeMs;
      if (ageMs < 0 || ageMs > windowSeconds * 1_000) return false;
      return (advertiserId === null || ad.advertiserId === advertiserId) && isCounted(ad.lineItemId);
    });
  return {
    named: creditedWithin(namedClick === null ? [] : [namedClick], clickWindowSeconds),
    clicks: creditedWithin(clicks, clickWindowSeconds),
    impressions: creditedWithin(impressions, viewWindowSeconds),
  };
}

/**
 * Attributes an event: the click that it names, else the user's last click within the click window, else the user's last
 * impression within its window; null if there is none.
 */
export function attribute(touches: Touches, rule: AttributionRule, eventTimeMs: number): Attribution | null {
  const { named, clicks, impressions } = creditedTouches(touches, rule, eventTimeMs);
  const click = named[0] ?? lastOf(clicks);
  if (click !== null) return { kind: 'click', touch: click };
  const impression = lastOf(impressions);
  return impression === null ? null : { kind: 'view', touch: impression };
}

function lastOf(touches: readonly Touch[]): Touch | null {
  let last: Touch | null = null;
  for (const touch of touches) if (last === null || touch.timeMs > last.timeMs) last = touch;
  return last;
}
