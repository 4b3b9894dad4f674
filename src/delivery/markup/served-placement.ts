import { buildAdLinks } from '../../domain/events/ad-links.ts';
import type { AdLinks } from '../../domain/events/ad-links.ts';
import type { KeyValuesOf } from '../../domain/targeting/key-value.ts';
import { sealServedAd } from '../../domain/events/link-token.ts';
import { earnedPriceMicros } from '../../domain/money/earning.ts';
import { limitBits } from '../../domain/money/reservation.ts';
import type { LinkKey, ServedAd } from '../../domain/events/served-ad.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import { isCompanion, NOTHING_CARRIED } from '../decision/companions.ts';
import type { CompiledCreative } from '../decision/index/compile-line-items.ts';
import type { FrequencyCheck } from '../decision/index/frequency-checks.ts';
import type { Placement } from '../decision/decision.ts';
import type { HostedAssets } from './hosted-assets.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';

/** An ad to serve: its placement, its token's content and its links. */
export interface ServedPlacement {
  readonly placement: Placement;
  readonly ad: ServedAd;
  readonly links: AdLinks;
  /** The companions in the response of a video or audio ad, each with its own links. */
  readonly companions: readonly ServedPlacement[];
}

const NO_COMPANIONS: readonly ServedPlacement[] = [];

/** Dependencies of sealing. */
export interface SealContext {
  readonly linkKey: LinkKey;
  /** Public base address of delivery, without a trailing slash. */
  readonly deliveryUrl: string;
  readonly hostedAssets: HostedAssets;
  readonly nowMs: number;
  /** A ULID for each ad of the placement: its own first, then those of its companions. */
  readonly newId: () => string;
  /** The key-values of a slot that the network reports. */
  readonly keyValuesOf: KeyValuesOf;
}

/** Gives a placement its impression id, its signed token and its links. */
export function sealPlacement(
  placement: Placement,
  opportunity: Opportunity,
  workspace: Workspace,
  context: SealContext,
): ServedPlacement {
  const ad = toServedAd(placement, opportunity, context);
  const token = sealServedAd(ad, context.linkKey);
  const shown = context.hostedAssets.resolve(placement);
  return {
    placement: shown,
    ad,
    links: buildAdLinks(context.deliveryUrl, workspace.environment, workspace.networkId, token),
    companions:
      placement.companions === NOTHING_CARRIED
        ? NO_COMPANIONS
        : placement.companions.creatives.map((creative) =>
            sealPlacement(toCompanionPlacement(placement, creative), opportunity, workspace, context),
          ),
  };
}

/** A companion in the response of its master. */
function toCompanionPlacement(master: Placement, creative: CompiledCreative): Placement {
  const { width, height } = creative.creative;
  return { ...master, creative, width, height, companions: NOTHING_CARRIED };
}

function toServedAd(
  placement: Placement,
  opportunity: Opportunity,
  { nowMs, newId, keyValuesOf }: SealContext,
): ServedAd {
  const { lineItem, slot, creative } = placement;
  const { booked } = lineItem;
  const { reported } = opportunity;
  // Each field by its name: spreading an object costs as much as writing all others.
  return {
    impressionId: newId(),
    workspaceId: opportunity.workspaceId,
    advertiserId: lineItem.advertiser.id,
    campaignId: lineItem.campaign.id,
    lineItemId: booked.id,
    lineItemType: booked.type,
    creativeId: creative.creative.id,
    creativeFormat: creative.creative.content.format,
    companion: isCompanion(creative),
    dealId: lineItem.deal?.id ?? '',
    advertisingProductId: booked.advertisingProductId ?? '',
    siteId: slot.siteId,
    areaId: slot.areaId,
    adUnitId: slot.adUnitId,
    width: placement.width,
    height: placement.height,
    country: reported.country,
    region: reported.region,
    deviceType: reported.deviceType,
    os: reported.os,
    browser: reported.browser,
    keyValues: keyValuesOf(slot),
    npa: opportunity.npa,
    userHash: opportunity.userHash,
    householdHash: countsHouseholds(placement) ? (opportunity.householdHash ?? '') : '',
    pricingModel: lineItem.pricingModel,
    priceMicros: earnedPriceMicros(lineItem, placement.bidMicros),
    decidedAtMs: nowMs,
    test: opportunity.test,
    // Companions reserve nothing.
    heldLimits: isCompanion(creative) ? 0 : limitBits(lineItem.capChecks),
    chosenBy: lineItem.dimensions,
  };
}

function countsHouseholds({ lineItem, creative }: Placement): boolean {
  return lineItem.frequencyChecks.some(isPerHousehold) || creative.frequencyChecks.some(isPerHousehold);
}

function isPerHousehold({ cap }: FrequencyCheck): boolean {
  return cap.per === 'HOUSEHOLD';
}
