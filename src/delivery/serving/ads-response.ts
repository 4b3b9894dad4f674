import { IMPRESSION_WINDOW_MS } from '../../domain/events/served-ad.ts';
import type { CreativeContent } from '../../domain/booking/creative.ts';
import { isBannerFormat } from '../../domain/creative-format.ts';
import { formatMicros } from '../../domain/money/money.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { AdsRequest } from '../ad-request/ads-request.ts';
import { renderBanner } from '../markup/banner-markup.ts';
import { buildDsa, dsaParams } from '../openrtb/dsa.ts';
import type { Decision } from '../decision/decision.ts';
import type { DsaRequest } from '../openrtb/dsa.ts';
import { trackerAddresses } from '../markup/macros.ts';
import { webAddress } from '../markup/markup.ts';
import type { PrivacyVerdict } from '../ad-request/privacy.ts';
import type { FilledOpportunity } from './ad-server.ts';
import type { ServedPlacement } from '../markup/served-placement.ts';
import { servedVast } from '../markup/served-vast.ts';
import { renderVast } from '../markup/vast-markup.ts';

/** The input of a response to an ad request. */
export interface AdsResponseInput {
  readonly requestId: string;
  readonly request: AdsRequest;
  readonly workspace: Workspace;
  readonly privacy: PrivacyVerdict;
  readonly dsa: DsaRequest | null;
  readonly deliveryHost: string;
  readonly nowMs: number;
  readonly served: FilledOpportunity;
  /** Prices and losers are shown. */
  readonly explain: boolean;
}

/** The response to an ad request: `ads` best first, `noFill` when there are none. */
export function renderAdsResponse(input: AdsResponseInput): object {
  const { request, served, privacy } = input;
  const { noFill, losers } = served.decision;
  return {
    requestId: input.requestId,
    network: input.workspace.networkId,
    adUnit: request.adUnitName,
    serverTime: new Date(input.nowMs).toISOString(),
    privacy: { gdpr: privacy.gdpr, npa: privacy.npa, reason: privacy.reason },
    ads: served.placements.map((one, index) => renderAd(one, index + 1, input)),
    noFill: served.placements.length > 0 ? null : { code: noFill ?? 'no_match' },
    ...(request.headerBids === undefined ? {} : { headerBid: renderHeaderBid(served.decision) }),
    ...(input.explain
      ? { losers: losers.map(({ lineItemId, reason, slotId }) => ({ position: Number(slotId), lineItemId, reason })) }
      : {}),
  };
}

/** The header bid that won the first ad. */
function renderHeaderBid({ headerBids }: Decision): object | null {
  const won = headerBids?.[0] ?? null;
  if (won === null) return null;
  const { bidder, adId, width, height } = won;
  return { bidder, adId, width, height };
}

function renderAd(one: ServedPlacement, position: number, input: AdsResponseInput): object {
  const { placement, ad, links } = one;
  const { lineItem } = placement;
  const { advertiser } = lineItem;
  const params = dsaParams(lineItem.dimensions, ad.npa);
  const dsa = buildDsa(advertiser, input.dsa ?? { required: 0, publisherRenders: 1 }, {
    domain: input.deliveryHost,
    params,
  });
  return {
    position,
    impressionId: ad.impressionId,
    campaignId: ad.campaignId,
    lineItemId: ad.lineItemId,
    creativeId: ad.creativeId,
    companionOf: placement.creative.creative.masterCreativeId,
    type: ad.lineItemType,
    dealId: placement.dealCode === '' ? null : placement.dealCode,
    advertiser: { id: advertiser.id, name: advertiser.name, domains: advertiser.domains },
    ...renderShown(one, input),
    dsa: { behalf: dsa.behalf ?? null, paid: dsa.paid ?? null, transparency: dsa.transparency, url: links.whyUrl },
    expiresAt: new Date(ad.decidedAtMs + IMPRESSION_WINDOW_MS).toISOString(),
    ...(input.explain ? { bidCpm: formatMicros(BigInt(placement.bidMicros)) } : {}),
  };
}

/** The ad, its size, and its tracking links. */
function renderShown(one: ServedPlacement, input: AdsResponseInput): object {
  const { placement, links } = one;
  const { width, height } = placement;
  const { creative } = placement.creative;
  const { trackers, content } = creative;
  const shown = { creative, links, width, height, privacy: input.request.privacy, ids: one.ad };
  const { format } = content;
  return {
    format,
    width,
    height,
    content: renderContent(content, one, input),
    ...(isBannerFormat(format) ? { html: renderBanner({ ...shown, withTracking: false }) } : {}),
    tracking: {
      impressionUrl: links.impressionUrl,
      clickUrl: links.clickUrl,
      viewableUrl: links.viewableUrl,
      thirdPartyImpressionUrls: trackerAddresses(trackers.impressionUrls, shown),
      thirdPartyClickUrls: trackerAddresses(trackers.clickUrls, shown),
      thirdPartyViewableUrls: trackerAddresses(trackers.viewableUrls, shown),
    },
  };
}

/** A banner that accompanies a video or audio ad: the VAST document names it, too. */
function renderCompanionAd(one: ServedPlacement, input: AdsResponseInput): object {
  const { impressionId, creativeId } = one.ad;
  return { impressionId, creativeId, ...renderShown(one, input) };
}

/** One shape per format. Addresses that are not web addresses are left empty. */
function renderContent(content: CreativeContent, one: ServedPlacement, input: AdsResponseInput): object {
  switch (content.format) {
    case 'IMAGE':
      return { imageUrl: webAddress(content.imageUrl) ?? '', alt: content.alt };
    case 'HTML':
      return { html: content.html };
    case 'NATIVE':
      return {
        title: content.title,
        body: content.body,
        callToAction: content.callToAction,
        sponsoredBy: content.sponsoredBy,
        image: { url: webAddress(content.imageUrl) ?? '', width: content.imageWidth, height: content.imageHeight },
        iconUrl: content.iconUrl === null ? null : webAddress(content.iconUrl),
      };
    case 'VIDEO':
    case 'AUDIO':
      return {
        title: content.title,
        durationMs: content.durationMs,
        mediaFiles: content.mediaFiles.map((file) => ({ ...file, url: webAddress(file.url) ?? '' })),
        vastTagUrl: content.vastTagUrl,
        skipOffsetMs: content.skipOffsetMs,
        companions: one.companions.map((each) => renderCompanionAd(each, input)),
        vast: renderVast(
          servedVast(one, content, {
            version: '4.2',
            privacy: input.request.privacy,
            currency: input.explain ? input.workspace.currency : null,
          }),
        ),
      };
  }
}
