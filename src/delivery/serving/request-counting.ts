import type { RequestCountKey, RequestCounts } from '../../domain/events/event.ts';
import { formatSize } from '../../domain/booking/inventory.ts';
import { type KeyValuesOf, NO_KEY_VALUES, type ReportedKeyValues } from '../../domain/targeting/key-value.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import type { ServedPlacement } from '../markup/served-placement.ts';

/** The shared fields of one request's counts. */
interface Counted {
  readonly opportunity: Opportunity;
  readonly keyValuesOf: KeyValuesOf;
  /** The opportunity as text. */
  readonly text: string;
  readonly textOfValues: (keyValues: ReportedKeyValues) => string;
}

/**
 * Counts the slots of a request, and the ads that they got. A companion in a video's response counts as served like one in its own slot:
 * both have impressions. Of a request that comes again, only the ads count.
 */
export function countRequest(
  counts: RequestCounts,
  opportunity: Opportunity,
  {
    placements,
    keyValuesOf,
    isRepeat = false,
  }: { placements: readonly ServedPlacement[]; keyValuesOf: KeyValuesOf; isRepeat?: boolean },
): void {
  const { country, region, deviceType, os, browser } = opportunity.reported;
  const text = `${opportunity.workspaceId}\n${country}\n${region}\n${deviceType}\n${os}\n${browser}\n${opportunity.npa ? 1 : 0}`;
  const counted = { opportunity, keyValuesOf, text, textOfValues: rememberText() };
  if (!isRepeat)
    for (const slot of opportunity.slots) counts.add(textOfSlot(slot, counted), 1, () => requestKey(slot, counted));
  for (const served of placements) {
    countServed(counts, served, counted);
    for (const companion of served.companions) countServed(counts, companion, counted);
  }
}

/** Ids identify a sum: the other reported fields of a line item or creative follow from them. */
function countServed(counts: RequestCounts, served: ServedPlacement, counted: Counted): void {
  const { ad, placement } = served;
  const text = `${textOfSlot(placement.slot, counted)}\n${ad.lineItemId}\n${ad.creativeId}\n${placement.width}x${placement.height}`;
  counts.add(text, 1, () => servedKey(served, counted));
}

/** Key-values as text; those of most slots of a request are the same object. */
function rememberText(): Counted['textOfValues'] {
  let [last, text] = [NO_KEY_VALUES, ''];
  return (keyValues) => {
    if (keyValues !== last) [last, text] = [keyValues, JSON.stringify(keyValues)];
    return text;
  };
}

function textOfSlot(slot: Slot, { text, keyValuesOf, textOfValues }: Counted): string {
  const [first] = slot.sizes;
  const values = textOfValues(keyValuesOf(slot));
  return `${slot.adUnitId}\n${slot.siteId}\n${slot.areaId}\n${first === undefined ? '' : formatSize(first)}\n${text}${values}`;
}

function servedKey({ ad, placement }: ServedPlacement, counted: Counted): RequestCountKey {
  const isSized = placement.width > 0 && placement.height > 0;
  return {
    ...requestKey(placement.slot, counted),
    kind: 'served',
    size: isSized ? formatSize(placement) : '',
    advertiserId: ad.advertiserId,
    campaignId: ad.campaignId,
    lineItemId: ad.lineItemId,
    lineItemType: ad.lineItemType,
    creativeId: ad.creativeId,
    creativeFormat: ad.creativeFormat,
    dealId: ad.dealId,
    advertisingProductId: ad.advertisingProductId,
  };
}

function requestKey(slot: Slot, { opportunity, keyValuesOf }: Counted): RequestCountKey {
  const [first] = slot.sizes;
  return {
    kind: 'request',
    workspaceId: opportunity.workspaceId,
    siteId: slot.siteId,
    areaId: slot.areaId,
    adUnitId: slot.adUnitId,
    size: first === undefined ? '' : formatSize(first),
    ...opportunity.reported,
    npa: opportunity.npa,
    keyValues: keyValuesOf(slot),
    advertiserId: '',
    campaignId: '',
    lineItemId: '',
    lineItemType: '',
    creativeId: '',
    creativeFormat: '',
    dealId: '',
    advertisingProductId: '',
  };
}
