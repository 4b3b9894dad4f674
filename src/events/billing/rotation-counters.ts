import { choosingEvent, rotatedEvent } from '../../domain/booking/optimisation-goal.ts';
import { SEQUENCE_TTL_MS, sequenceCounterKey } from '../../domain/frequency/frequency-key.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import {
  creativeRateId,
  LIFETIME_COUNTER_TTL_MS,
  lifetimeCounterKey,
  rateUnitOf,
  unitRateId,
} from '../../domain/money/counter-key.ts';
import type { CounterScope } from '../../domain/money/counter-key.ts';
import { COUNTED_EVENTS } from '../../domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';
import type { CounterIncrement } from '../../storage/hot/hot-store.ts';

/** The creative of an event, its line item, and where it was shown. */
export type ShownAd = Pick<ServedAd, 'workspaceId' | 'lineItemId' | 'creativeId' | 'siteId' | 'adUnitId'> &
  Partial<Pick<ServedAd, 'companion'>>;

/**
 * The increments of a billable event on the counters of rates that decisions learn: the creative's when the line item rotates by the rate of this event,
 * and the ad unit's when its optimisation goal is this event. Every impression is one that may have brought it.
 */
export function rateIncrements(kind: CountedKind, ad: ShownAd, catalog: Catalog): CounterIncrement[] {
  const { workspaceId, lineItemId, creativeId } = ad;
  const lineItem = catalog.findLineItem(workspaceId, lineItemId);
  if (lineItem === undefined) return [];
  const increments: CounterIncrement[] = [];
  const add = (scope: CounterScope, id: string): void => {
    const key = lifetimeCounterKey({ workspaceId, scope, id, kind: COUNTED_EVENTS[kind].counter });
    increments.push({ key, by: 1n, ttlMs: LIFETIME_COUNTER_TTL_MS });
  };
  const rotated = lineItem.creativeRotation === 'OPTIMISED' ? rotatedEvent(lineItem) : null;
  if (rotated !== null && (kind === 'impression' || kind === rotated)) add('cr', creativeRateId(rotated, creativeId));
  const chosen = choosingEvent(lineItem);
  const unit = rateUnitOf(ad);
  if (chosen === null || unit === '' || ad.companion === true) return increments;
  if (kind === 'impression' || kind === chosen) add('un', unitRateId(chosen, lineItemId, unit));
  return increments;
}

/** The increment of a billable impression on the user's position in the sequence, where the line item shows its creatives in order. */
export function sequenceIncrements(ad: ServedAd, catalog: Catalog): CounterIncrement[] {
  const { workspaceId, lineItemId, userHash } = ad;
  if (ad.companion || userHash === '' || ad.npa) return [];
  if (catalog.findLineItem(workspaceId, lineItemId)?.creativeRotation !== 'SEQUENTIAL') return [];
  return [{ key: sequenceCounterKey({ workspaceId, userHash, lineItemId }), by: 1n, ttlMs: SEQUENCE_TTL_MS }];
}
