import { IMPRESSION_WINDOW_MS } from '../domain/served-ad.ts';
import type { CreativeContent } from '../domain/creative.ts';
import { formatMicros } from '../domain/money.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { AdsRequest } from './ads-request.ts';
import { renderBanner } from './banner-markup.ts';
import { answerDsa, dsaParams } from './dsa.ts';
import type { DsaRequest } from './dsa.ts';
import { webAddress, webAddresses } from './markup.ts';
import type { PrivacyVerdict } from './privacy.ts';
import type { Served } from './serve.ts';
import type { ServedPlacement } from './served-placement.ts';
import { renderVast } from './vast-markup.ts';

/** What an answer to an ad request is made from. */
export interface AdsAnswerInput {
  readonly requestId: string;
  readonly request: AdsRequest;
  readonly workspace: Workspace;
  readonly privacy: PrivacyVerdict;
  readonly dsa: DsaRequest | null;
  readonly deliveryHost: string;
  readonly nowMs: number;
  readonly served: Served;
  /** Prices and losers are shown. */
  readonly explain: boolean;
}

/** The answer to an ad request: `ads` best first, `noFill` when there are none. */
export function renderAdsAnswer(input: AdsAnswerInput): object {
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
    ...(input.explain
      ? { losers: losers.map(({ lineItemId, reason, slotId }) => ({ position: Number(slotId), lineItemId, reason })) }
      : {}),
  };
}

function renderAd(one: ServedPlacement, position: number, input: AdsAnswerInput): object {
  const { placement, ad, links } = one;
  const { row, width, height } = placement;
  const { creative } = placement.creative;
  const { advertiser } = row;
  const { trackers } = creative;
  const { format } = creative.content;
  const params = dsaParams(row.dimensions, ad.npa);
  const dsa = answerDsa(advertiser, input.dsa ?? { required: 0, publisherRenders: 1 }, {
    domain: input.deliveryHost,
    params,
  });
  return {
    position,
    impressionId: ad.impressionId,
    campaignId: ad.campaignId,
    lineItemId: ad.lineItemId,
    creativeId: ad.creativeId,
    type: ad.lineItemType,
    dealId: placement.dealCode === '' ? null : placement.dealCode,
    advertiser: { id: advertiser.id, name: advertiser.name, domains: advertiser.domains },
    format,
    width,
    height,
    content: renderContent(creative.content, one, input),
    ...(format === 'IMAGE' || format === 'HTML'
      ? { html: renderBanner({ creative, links, width, height, withTracking: false }) }
      : {}),
    tracking: {
      impressionUrl: links.impressionUrl,
      clickUrl: links.clickUrl,
      viewableUrl: links.viewableUrl,
      thirdPartyImpressionUrls: webAddresses(trackers.impressionUrls),
      thirdPartyClickUrls: webAddresses(trackers.clickUrls),
      thirdPartyViewableUrls: webAddresses(trackers.viewableUrls),
    },
    dsa: { behalf: dsa.behalf ?? null, paid: dsa.paid ?? null, transparency: dsa.transparency, url: links.whyUrl },
    expiresAt: new Date(ad.decidedAtMs + IMPRESSION_WINDOW_MS).toISOString(),
    ...(input.explain ? { bidCpm: formatMicros(BigInt(placement.bidMicros)) } : {}),
  };
}

/** One shape a format. Addresses that are no web addresses are left empty. */
function renderContent(content: CreativeContent, one: ServedPlacement, input: AdsAnswerInput): object {
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
      return {
        title: content.title,
        durationMs: content.durationMs,
        mediaFiles: content.mediaFiles.map((file) => ({ ...file, url: webAddress(file.url) ?? '' })),
        vastTagUrl: content.vastTagUrl,
        skipOffsetMs: content.skipOffsetMs,
        vast: renderVast({
          creative: one.placement.creative.creative,
          content,
          links: one.links,
          version: '4.2',
          impressionId: one.ad.impressionId,
          advertiserName: one.placement.row.advertiser.name,
          categories: one.placement.row.advertiser.categories,
          price: { decimal: formatMicros(BigInt(one.placement.bidMicros)), currency: input.workspace.currency },
          mimeTypes: [],
        }),
      };
  }
}
