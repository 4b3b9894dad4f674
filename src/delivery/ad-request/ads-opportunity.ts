import type { AdUnit } from '../../domain/booking/inventory.ts';
import { domainForm } from '../../domain/text/one-form.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { findById } from '../decision/index/sorted-by-id.ts';
import type { AdsRequest } from './ads-request.ts';
import { dearestHeaderBid } from '../openrtb/header-bids.ts';
import { buildOpportunity } from './build-opportunity.ts';
import type { RequestContext } from './build-opportunity.ts';

/** The rules that only bid requests can state: none. */
export const NO_RULES = {
  segments: [],
  blockedCategories: [],
  blockedDomains: [],
  allowedSeats: [],
  blockedSeats: [],
  creativeLanguages: [],
  test: false,
} as const;

/** The opportunity of an ad request: one of the same slots for each requested ad. */
export function buildAdsOpportunity(
  request: AdsRequest,
  adUnit: AdUnit,
  { snapshot }: CompiledWorkspace,
  context: RequestContext,
): Opportunity {
  const { pageUrl, keywords, keyValues, device } = request;
  const domain = request.domain || domainForm(findById(snapshot.sites, adUnit.siteId)?.domain ?? '');
  const { headerBids = [] } = request;
  const headerBid = dearestHeaderBid(headerBids, snapshot.workspace, context.nowMs);
  // A page can show one header bid: it competes for the first ad.
  const slots = Array.from({ length: request.count }, (_slot, index) => ({
    ...buildSlot(request, adUnit, index),
    ...(index > 0 || headerBid === null ? {} : { headerBid }),
  }));
  const said = { ...NO_RULES, pageUrl, domain, keywords, keyValues, device };
  return buildOpportunity(said, slots, snapshot.workspace.workspaceId, context);
}

function buildSlot(request: AdsRequest, adUnit: AdUnit, index: number): Slot {
  return {
    slotId: String(index + 1),
    siteId: adUnit.siteId,
    areaId: adUnit.areaId ?? '',
    adUnitId: adUnit.id,
    position: '',
    sizes: request.sizes.length > 0 ? request.sizes : adUnit.sizes,
    mediaTypes: adUnit.mediaTypes,
    video: null,
    native: null,
    floorMicros: 0,
    deals: null,
    privateAuction: false,
    secure: request.secure,
    blockedAttributes: [],
  };
}
