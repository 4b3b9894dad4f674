import type { Creative } from '../../../domain/booking/creative.ts';
import type { Advertiser, Campaign, Deal, LineItem } from '../../../domain/booking/line-item.ts';
import type { SnapshotLists } from './snapshot-lists.ts';
import { compareIds, compareById, findById, findByReference, sortById } from './sorted-by-id.ts';
import type { Records } from './stored-records.ts';
import type { Difference } from './sorted-by-id.ts';
import type { WorkSteps } from './work-steps.ts';

/** A line item that cannot be delivered to any request, and why: explanations name it. */
export interface IdleLineItem {
  /** The line item's id. */
  readonly id: string;
  readonly lineItem: LineItem;
  readonly reason: 'paused' | 'size' | 'not_in_flight';
  /** The creatives that may be shown at all. */
  readonly creatives: readonly Creative[];
  /** After this time the reason is `not_in_flight`; infinite where no time changes it. */
  readonly endsAtMs: number;
}

/** A line item that may be delivered, with all input of its compilation. */
export interface LiveLineItem {
  readonly lineItem: LineItem;
  readonly campaign: Campaign;
  readonly advertiser: Advertiser;
  readonly deal: Deal | null;
  /** The creatives that may be shown at all, in ascending order of id. */
  readonly creatives: readonly Creative[];
}

/** The objects that a change touches. */
export interface Touched {
  /** The ids of all line items that may need another compilation. */
  readonly ids: Set<string>;
  readonly creatives: Difference<Creative>;
}

const LINE_ITEMS_PER_STEP = 4_096;

/** Compares two snapshots of a workspace. */
export function* findTouched(before: SnapshotLists, after: SnapshotLists): WorkSteps<Touched> {
  const ids = yield* findChangedIds(before.lineItems, after.lineItems);
  yield;
  const creatives = yield* compareById(before.creatives, after.creatives);
  for (const changed of [creatives.removed, creatives.added]) {
    for (const [position, { lineItemId }] of changed.entries()) {
      if (position % LINE_ITEMS_PER_STEP === 0) yield;
      ids.add(lineItemId);
    }
  }
  const advertisers = yield* findChangedIds(before.advertisers, after.advertisers);
  const campaigns = yield* findChangedIds(before.campaigns, after.campaigns);
  const deals = yield* findChangedIds(before.deals, after.deals);
  if (advertisers.size > 0) {
    for (const campaign of after.campaigns) if (advertisers.has(campaign.advertiserId)) campaigns.add(campaign.id);
  }
  if (campaigns.size === 0 && deals.size === 0) return { ids, creatives };
  for (const { id } of yield* findByReference(after.lineItems, 'campaignId', campaigns)) ids.add(id);
  for (const { id } of yield* findByReference(after.lineItems, 'dealId', deals)) ids.add(id);
  return { ids, creatives };
}

function* findChangedIds<T extends { readonly id: string }>(
  before: Records<T>,
  after: Records<T>,
): WorkSteps<Set<string>> {
  const { removed, added } = yield* compareById(before, after);
  const ids = new Set<string>();
  for (const changed of [removed, added]) {
    for (const [position, { id }] of changed.entries()) {
      if (position % LINE_ITEMS_PER_STEP === LINE_ITEMS_PER_STEP - 1) yield;
      ids.add(id);
    }
  }
  return ids;
}

/** The creatives of a line item after a change. @param former its creatives before */
export function changeCreatives(
  lineItemId: string,
  former: readonly Creative[],
  { removed, added }: Touched['creatives'],
): readonly Creative[] {
  const own = added.filter((creative) => creative.lineItemId === lineItemId && mayBeShown(creative));
  const gone = new Set(removed.map(({ id }) => id));
  const kept = former.filter(({ id }) => !gone.has(id));
  return own.length === 0 && kept.length === former.length ? former : sortById([...kept, ...own]);
}

function mayBeShown({ status, reviewState }: Creative): boolean {
  return status === 'ACTIVE' && reviewState === 'APPROVED';
}

/** The creatives that may be shown at all, by line item. Reads all creatives. @param wanted line items */
export function* gatherCreatives(
  creatives: Records<Creative>,
  wanted: ReadonlySet<string>,
): WorkSteps<ReadonlyMap<string, readonly Creative[]>> {
  const byLineItem = new Map<string, Creative[]>();
  for (const [position, creative] of (yield* findByReference(creatives, 'lineItemId', wanted)).entries()) {
    if (position % LINE_ITEMS_PER_STEP === 0) yield;
    if (!mayBeShown(creative)) continue;
    const siblings = byLineItem.get(creative.lineItemId);
    if (siblings === undefined) byLineItem.set(creative.lineItemId, [creative]);
    else siblings.push(creative);
  }
  return byLineItem;
}

/** Joins a line item with its parents and creatives, or returns why it cannot be delivered. Flights that have not begun are live. */
export function resolveLineItem(
  lineItem: LineItem,
  snapshot: SnapshotLists,
  { creatives, nowMs }: { readonly creatives: readonly Creative[]; readonly nowMs: number },
): LiveLineItem | IdleLineItem {
  const idle = { id: lineItem.id, lineItem, creatives, endsAtMs: Number.POSITIVE_INFINITY };
  const campaign = findById(snapshot.campaigns, lineItem.campaignId);
  const advertiser = campaign === undefined ? undefined : findById(snapshot.advertisers, campaign.advertiserId);
  if (campaign === undefined || advertiser === undefined) return { ...idle, reason: 'paused' };
  const deal = lineItem.dealId === null ? null : findById(snapshot.deals, lineItem.dealId);
  if (deal === undefined || (deal !== null && deal.status !== 'ACTIVE')) return { ...idle, reason: 'paused' };
  const live = lineItem.status === 'ACTIVE' && campaign.status === 'ACTIVE' && advertiser.status === 'ACTIVE';
  if (!live) return { ...idle, reason: 'paused' };
  const endsAtMs = earliest(lineItem.endsAtMs, campaign.endsAtMs);
  if (endsAtMs <= nowMs) return { ...idle, reason: 'not_in_flight' };
  return creatives.some(({ masterCreativeId }) => masterCreativeId === null)
    ? { lineItem, campaign, advertiser, deal, creatives }
    : { ...idle, reason: 'size', endsAtMs };
}

/** The earlier of two ends; null = never. */
export function earliest(left: number | null, right: number | null): number {
  return Math.min(left ?? Number.POSITIVE_INFINITY, right ?? Number.POSITIVE_INFINITY);
}

/** In ascending order. */
export function sortIds(ids: ReadonlySet<string>): string[] {
  return [...ids].sort(compareIds);
}
