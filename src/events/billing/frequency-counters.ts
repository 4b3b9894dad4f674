import { frequencyCounterKey, frequencyWindowMs } from '../../domain/booking/frequency-key.ts';
import type { FrequencyScope } from '../../domain/booking/frequency-key.ts';
import type { FrequencyCap } from '../../domain/booking/line-item.ts';
import { isBeside } from '../../domain/money/earning.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { CounterIncrement } from '../../storage/hot/hot-store.ts';

/**
 * The increments of a billable impression or click on the user's frequency counters: one counter for each different window of each cap of
 * the creative, the line item, its campaign and its advertiser; a companion impression counts for its creative alone. Without a user it
 * adds nothing.
 */
export function frequencyIncrements(kind: 'impression' | 'click', ad: ServedAd, catalog: Catalog): CounterIncrement[] {
  if (ad.userHash === '' || ad.npa) return [];
  const { workspaceId, userHash } = ad;
  const owners: readonly [FrequencyScope, string, readonly FrequencyCap[] | undefined][] = [
    ['cr', ad.creativeId, catalog.findCreative(workspaceId, ad.creativeId)?.frequencyCaps],
    ['li', ad.lineItemId, catalog.findLineItem(workspaceId, ad.lineItemId)?.frequencyCaps],
    ['ca', ad.campaignId, catalog.findCampaign(workspaceId, ad.campaignId)?.frequencyCaps],
    ['ad', ad.advertiserId, catalog.findAdvertiser(workspaceId, ad.advertiserId)?.frequencyCaps],
  ];
  const event: FrequencyCap['event'] = kind === 'click' ? 'CLICKS' : 'IMPRESSIONS';
  const increments = new Map<string, CounterIncrement>();
  for (const [scope, id, caps] of isBeside(kind, ad) ? owners.slice(0, 1) : owners) {
    for (const cap of caps ?? []) {
      if (cap.event !== event) continue;
      const key = frequencyCounterKey({ workspaceId, userHash, scope, id, cap });
      increments.set(key, { key, by: 1n, ttlMs: frequencyWindowMs(cap) });
    }
  }
  return [...increments.values()];
}
