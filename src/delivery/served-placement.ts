import { buildAdLinks } from '../domain/ad-links.ts';
import type { AdLinks } from '../domain/ad-links.ts';
import { newUlid } from '../domain/ids.ts';
import { sealServedAd } from '../domain/link-token.ts';
import type { LinkKey, ServedAd } from '../domain/served-ad.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { Placement } from './decide.ts';
import { resolveHostedAssets } from './hosted-assets.ts';
import type { Opportunity } from './opportunity.ts';

/** An ad on its way out: what was decided, its token's content and its links. */
export interface ServedPlacement {
  readonly placement: Placement;
  readonly ad: ServedAd;
  readonly links: AdLinks;
}

/** What sealing needs of the installation. */
export interface SealContext {
  readonly linkKey: LinkKey;
  /** Public base address of delivery, without a trailing slash. */
  readonly deliveryUrl: string;
  readonly nowMs: number;
}

/** Gives a placement its impression id, its signed token and its links. */
export function sealPlacement(
  placement: Placement,
  opportunity: Opportunity,
  workspace: Workspace,
  context: SealContext,
): ServedPlacement {
  const ad = toServedAd(placement, opportunity, context.nowMs);
  const token = sealServedAd(ad, context.linkKey);
  const shown = resolveHostedAssets(placement, context.deliveryUrl);
  return {
    placement: shown,
    ad,
    links: buildAdLinks(context.deliveryUrl, workspace.environment, workspace.networkId, token),
  };
}

function toServedAd(placement: Placement, opportunity: Opportunity, nowMs: number): ServedAd {
  const { row, slot, creative } = placement;
  const { lineItem } = row;
  return {
    impressionId: newUlid(nowMs),
    workspaceId: opportunity.workspaceId,
    advertiserId: row.advertiser.id,
    campaignId: row.campaign.id,
    lineItemId: lineItem.id,
    lineItemType: lineItem.type,
    creativeId: creative.creative.id,
    creativeFormat: creative.creative.content.format,
    dealId: row.deal?.id ?? '',
    advertisingProductId: lineItem.advertisingProductId ?? '',
    siteId: slot.siteId,
    areaId: slot.areaId,
    adUnitId: slot.adUnitId,
    width: placement.width,
    height: placement.height,
    ...opportunity.reported,
    npa: opportunity.npa,
    userHash: opportunity.userHash,
    pricingModel: lineItem.pricingModel,
    // A CPM impression earns what was bid (a deal may fix it); other models earn by their own price.
    priceMicros: lineItem.pricingModel === 'CPM' ? placement.bidMicros : row.priceMicros,
    decidedAtMs: nowMs,
    test: opportunity.test,
    landingDigest: creative.landingDigest,
    chosenBy: row.dimensions,
  };
}
