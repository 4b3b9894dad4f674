import type { EventCounter } from '../pricing/pricing-models.ts';

/**
 * Keys of delivery counters in the hot store: written where events are counted, read where ads are decided.
 * `scope` is `li` (line item), `ca` (campaign), `ad` (advertiser) or `cr` (creative, where rotation goes by click rate); `what` is imp, clk, spend (nanos), view, conv or cpl (completed views); and ans
 * (ads in responses, shown or not) and ref (drawn by the allocation plan, but not eligible), which delivery itself counts for line items with
 * a goal.
 */
export type CounterScope = 'li' | 'ca' | 'ad' | 'cr';
export type CounterKind = EventCounter | 'spend' | 'ans' | 'ref';

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
