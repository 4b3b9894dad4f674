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
export type AttributionRule = Pick<Activity, 'clickWindowSeconds' | 'viewWindowSeconds' | 'advertiserId'>;

/**
 * Attributes an event: the click that it names, else the user's last click within the click window, else the user's last
 * impression within its window; null when there is none. A touch after the event never counts; one at the very end of its window does. An
 * activity of one advertiser credits only touches of that advertiser's ads, even when the event names a click.
 */
export function attribute(
  touches: Touches,
  { clickWindowSeconds, viewWindowSeconds, advertiserId }: AttributionRule,
  eventTimeMs: number,
): Attribution | null {
  const credited = (candidates: readonly Touch[]): readonly Touch[] =>
    advertiserId === null ? candidates : candidates.filter(({ ad }) => ad.advertiserId === advertiserId);
  const clickWindowMs = clickWindowSeconds * 1_000;
  const click =
    lastWithin(credited(touches.namedClick === null ? [] : [touches.namedClick]), clickWindowMs, eventTimeMs) ??
    lastWithin(credited(touches.clicks), clickWindowMs, eventTimeMs);
  if (click !== null) return { kind: 'click', touch: click };
  const impression = lastWithin(credited(touches.impressions), viewWindowSeconds * 1_000, eventTimeMs);
  return impression === null ? null : { kind: 'view', touch: impression };
}

function lastWithin(touches: readonly Touch[], windowMs: number, eventTimeMs: number): Touch | null {
  let last: Touch | null = null;
  for (const touch of touches) {
    const ageMs = eventTimeMs - touch.timeMs;
    if (ageMs < 0 || ageMs > windowMs) continue;
    if (last === null || touch.timeMs > last.timeMs) last = touch;
  }
  return last;
}
