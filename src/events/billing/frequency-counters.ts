import { frequencyCapTail, frequencyUserPrefix, frequencyWindowMs } from '../../domain/booking/frequency-key.ts';
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
  const prefix = frequencyUserPrefix(workspaceId, userHash);
  const increments: CounterIncrement[] = [];
  for (const [scope, id, caps] of isBeside(kind, ad) ? owners.slice(0, 1) : owners) {
    if (caps === undefined || caps.length === 0) continue;
    for (const window of windowsOf(caps))
      if (window.event === event)
        increments.push({ key: `${prefix}${scope}/${id}/${window.tail}`, by: 1n, ttlMs: window.ttlMs });
  }
  return increments;
}

/** A different window of an owner's caps. */
interface CapWindow {
  readonly event: FrequencyCap['event'];
  readonly tail: string;
  readonly ttlMs: number;
}

const KNOWN = new WeakMap<readonly FrequencyCap[], readonly CapWindow[]>();

/** The caps of an owner are one array until the owner changes. */
function windowsOf(caps: readonly FrequencyCap[]): readonly CapWindow[] {
  const known = KNOWN.get(caps);
  if (known !== undefined) return known;
  const byTail = new Map(caps.map((cap) => [frequencyCapTail(cap), cap]));
  const windows = [...byTail].map(([tail, cap]) => ({ event: cap.event, tail, ttlMs: frequencyWindowMs(cap) }));
  KNOWN.set(caps, windows);
  return windows;
}
