import {
  frequencyCapTail,
  frequencyUserPrefix,
  frequencyWindowMs,
  seerOf,
} from '../../domain/frequency/frequency-key.ts';
import type { FrequencyScope } from '../../domain/frequency/frequency-key.ts';
import { labelCapsOf, labelCounterId } from '../../domain/frequency/label-cap.ts';
import type { FrequencyCap } from '../../domain/frequency/frequency-cap.ts';
import { isBeside } from '../../domain/money/earning.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { CounterIncrement } from '../../storage/hot/hot-store.ts';

/**
 * The increments of a billable impression or click on the frequency counters of the user and the household: one counter for each different window of each cap of
 * the creative, the line item, its campaign, its advertiser and their labels; a companion impression counts for its creative alone. Without both it
 * adds nothing.
 */
export function frequencyIncrements(kind: 'impression' | 'click', ad: ServedAd, catalog: Catalog): CounterIncrement[] {
  if (ad.npa || (ad.userHash === '' && ad.householdHash === '')) return [];
  const { workspaceId } = ad;
  const lineItem = catalog.findLineItem(workspaceId, ad.lineItemId);
  const campaign = catalog.findCampaign(workspaceId, ad.campaignId);
  const advertiser = catalog.findAdvertiser(workspaceId, ad.advertiserId);
  const { labelCaps } = catalog.findWorkspaceById(workspaceId) ?? {};
  const owners: (readonly [FrequencyScope, string, readonly FrequencyCap[] | undefined])[] = [
    ['cr', ad.creativeId, catalog.findCreative(workspaceId, ad.creativeId)?.frequencyCaps],
    ['li', ad.lineItemId, lineItem?.frequencyCaps],
    ['ca', ad.campaignId, campaign?.frequencyCaps],
    ['ad', ad.advertiserId, advertiser?.frequencyCaps],
  ];
  for (const { label, frequencyCaps } of labelCapsOf(labelCaps, { lineItem, campaign, advertiser }))
    owners.push(['la', labelCounterId(label), frequencyCaps]);
  const event: FrequencyCap['event'] = kind === 'click' ? 'CLICKS' : 'IMPRESSIONS';
  const increments: CounterIncrement[] = [];
  for (const [scope, id, caps] of isBeside(kind, ad) ? owners.slice(0, 1) : owners) {
    if (caps === undefined || caps.length === 0) continue;
    for (const window of windowsOf(caps)) {
      const seer = seerOf(window.cap, ad);
      if (window.cap.event !== event || seer === '') continue;
      const key = `${frequencyUserPrefix(workspaceId, seer)}${scope}/${id}/${window.tail}`;
      // Without a household, its caps count with those of the user.
      const isListed = window.cap.per !== undefined && increments.some((one) => one.key === key);
      if (!isListed) increments.push({ key, by: 1n, ttlMs: window.ttlMs });
    }
  }
  return increments;
}

/** A different window of an owner's caps. */
interface CapWindow {
  readonly cap: FrequencyCap;
  readonly tail: string;
  readonly ttlMs: number;
}

const KNOWN = new WeakMap<readonly FrequencyCap[], readonly CapWindow[]>();

/** The caps of an owner are one array until the owner changes. */
function windowsOf(caps: readonly FrequencyCap[]): readonly CapWindow[] {
  const known = KNOWN.get(caps);
  if (known !== undefined) return known;
  const different = new Map(caps.map((cap) => [`${cap.per ?? ''}${frequencyCapTail(cap)}`, cap]));
  // Those of the user first.
  const windows = [...different.values()]
    .toSorted((one, other) => Number(one.per !== undefined) - Number(other.per !== undefined))
    .map((cap) => ({ cap, tail: frequencyCapTail(cap), ttlMs: frequencyWindowMs(cap) }));
  KNOWN.set(caps, windows);
  return windows;
}
