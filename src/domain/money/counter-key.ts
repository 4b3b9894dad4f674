import { COUNTED_EVENTS } from '../pricing/pricing-models.ts';
import type { CountedKind, EventCounter } from '../pricing/pricing-models.ts';

/**
 * Keys of delivery counters in the hot store: written where events are counted, read where ads are decided.
 * `scope` is `li` (line item), `ca` (campaign), `ad` (advertiser), `cr` (creative, where rotation goes by the rate of an event) or `un` (ad unit of a line item that chooses its ad
 * units by the rate of an event); `what` is imp, clk, spend (nanos), view, conv or cpl (completed views); and ans
 * (ads in responses, shown or not) and ref (drawn by the allocation plan, but not eligible), which delivery itself counts for line items with
 * a goal.
 */
export type CounterScope = 'li' | 'ca' | 'ad' | 'cr' | 'un';
export type CounterKind = EventCounter | 'spend' | 'ans';

/**
 * How long daily and lifetime counters are kept, in milliseconds. A day is kept until nothing more can be told about it: itself,
 * the seven days that an activity may be sent later, and one for clocks.
 */
export const DAY_COUNTER_TTL_MS = 9 * 86_400_000;
export const LIFETIME_COUNTER_TTL_MS = 5 * 365 * 86_400_000;

/** Which object's deliveries are counted, of which kind. */
export interface CounterSubject {
  readonly workspaceId: number;
  readonly scope: CounterScope;
  readonly id: string;
  readonly kind: CounterKind;
}

/** Counter of all time. */
export function lifetimeCounterKey(subject: CounterSubject): string {
  return `d/${subject.workspaceId}/${subject.scope}/${subject.id}/${subject.kind}/all`;
}

/** Counter of one day, `YYYY-MM-DD` in the line item's (for campaigns and advertisers: the network's) time zone. */
export function dayCounterKey(subject: CounterSubject, day: string): string {
  return `d/${subject.workspaceId}/${subject.scope}/${subject.id}/${subject.kind}/${day}`;
}

/**
 * The id under which impressions and events of a creative are counted for the rate of an event: its own for clicks. Each rate has its own
 * impressions, which begin with its events: after a change of the event, those of before would look like impressions without any.
 */
export function creativeRateId(kind: CountedKind, creativeId: string): string {
  return kind === 'click' ? creativeId : `${creativeId}.${COUNTED_EVENTS[kind].counter}`;
}

/** The unit by which a line item learns where its event is likely: the ad unit, else the site; '' = neither is known. */
export function rateUnitOf({ adUnitId, siteId }: { readonly adUnitId: string; readonly siteId: string }): string {
  if (adUnitId !== '') return adUnitId;
  return siteId === '' ? '' : `s${siteId}`;
}

/** The id under which impressions and events of a line item in one unit are counted for the rate of an event. @param unit as of `rateUnitOf` */
export function unitRateId(kind: CountedKind, lineItemId: string, unit: string): string {
  return `${lineItemId}.${unit}.${COUNTED_EVENTS[kind].counter}`;
}

/** Whether a counter is kept for the rate of a creative alone, so that it begins when a line item first learns the rate. */
export function isRateCounterKey(key: string): boolean {
  return scopeOf(key) === 'cr';
}

/** Whether a counter is kept for the rate of a unit, which nothing else counts: a rebuilt store learns it again. */
export function isUnitCounterKey(key: string): boolean {
  return scopeOf(key) === 'un';
}

function scopeOf(key: string): string | undefined {
  return key.split('/', 3)[2];
}
