import { LIFETIME_COUNTER_TTL_MS, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { SEQUENCE_TTL_MS, sequenceCounterKey } from '../../domain/booking/frequency-key.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { CounterIncrement } from '../../storage/hot/hot-store.ts';

/**
 * The increments of a billable impression or click on the counters of rotation: the creative's counters when the line item rotates by click
 * rate; the user's position in the sequence when it shows its creatives in order.
 */
export function rotationIncrements(kind: 'impression' | 'click', ad: ServedAd, catalog: Catalog): CounterIncrement[] {
  const { workspaceId, lineItemId, creativeId, userHash } = ad;
  const rotation = catalog.findLineItem(workspaceId, lineItemId)?.creativeRotation;
  if (rotation === 'OPTIMISED') {
    const subject = { workspaceId, scope: 'cr', id: creativeId, kind: kind === 'click' ? 'clk' : 'imp' } as const;
    return [{ key: lifetimeCounterKey(subject), by: 1n, ttlMs: LIFETIME_COUNTER_TTL_MS }];
  }
  if (rotation === 'SEQUENTIAL' && kind === 'impression' && !ad.companion && userHash !== '' && !ad.npa)
    return [{ key: sequenceCounterKey({ workspaceId, userHash, lineItemId }), by: 1n, ttlMs: SEQUENCE_TTL_MS }];
  return [];
}
