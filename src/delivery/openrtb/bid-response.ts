import { fromNetworkMicros } from '../../domain/tenancy/exchange-rates.ts';
import { microsToNumber } from '../../domain/money/money.ts';
import type { Creative } from '../../domain/booking/creative.ts';
import { isPlayed } from '../../domain/booking/creative.ts';
import { MEDIA } from '../../domain/creative-format.ts';
import { type HeaderBid, playerOfferOf, POD_SLOT_KEY } from '../../domain/requests/opportunity.ts';
import { namesKey } from '../../domain/targeting/targeting.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { BidRequest } from './bid-request.ts';
import type { BidCurrency } from './currencies.ts';
import { fillTemplate, makeTemplate } from './bid-template.ts';
import type { BidTemplate } from './bid-template.ts';
import { renderBanner } from '../markup/banner-markup.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import { chooseVastVersion } from '../decision/creative-fit.ts';
import { buildDsa, dsaParams } from './dsa.ts';
import type { DsaRequest } from './dsa.ts';
import { variesByRequest } from '../markup/macros.ts';
import { renderFreeNative, renderNative } from '../markup/native-markup.ts';
import { RecentCache } from '../../storage/recent-cache.ts';
import type { ServedPlacement } from '../markup/served-placement.ts';
import { servedVast } from '../markup/served-vast.ts';
import { renderVast } from '../markup/vast-markup.ts';

/** Seconds for which a bid is valid. */
const BID_EXPIRES_S = 300;

/** A banner bid with everything it depends on except the ids. */
interface KeptBid {
  readonly lineItem: CompiledLineItem;
  readonly bidMicros: number;
  readonly rate: BidCurrency['rate'];
  readonly width: number;
  readonly height: number;
  readonly dealCode: string;
  readonly npa: boolean;
  /** -1 where the request wants no DSA transparency, else who renders it. */
  readonly dsa: number;
  readonly workspaceId: number;
  readonly template: BidTemplate;
}

/** The latest banner bids of each creative, a few kilobytes each, newest last. */
const kept = new RecentCache<Creative, readonly KeptBid[]>(5_000);
const KEPT_OF_CREATIVE_MAX = 4;

/** The input of a response. */
export interface BidResponseInput {
  readonly request: BidRequest;
  readonly workspace: Workspace;
  /** Of the prices. Markup states prices in the network's currency, with its code. */
  readonly currency: BidCurrency;
  readonly dsa: DsaRequest | null;
  /** Host name of delivery, for DSA transparency. */
  readonly deliveryHost: string;
  readonly served: readonly ServedPlacement[];
  /** Header bids that won slots. With none, at least one placement is served. */
  readonly headerBids?: readonly WonHeaderBid[];
}

/** A header bid that won a slot. */
export interface WonHeaderBid {
  readonly impid: string;
  readonly headerBid: HeaderBid;
}

/** The OpenRTB 2.6 response (conformance B5) as JSON: bids by seat, `ext.dsaurl` of the first. */
export function renderBidResponse(input: BidResponseInput): string {
  const { request, currency, served } = input;
  const bids = new Map<string, string>();
  for (const one of served) {
    const before = bids.get(one.placement.lineItem.seat);
    const bid = writeBid(one, input);
    bids.set(one.placement.lineItem.seat, before === undefined ? bid : `${before},${bid}`);
  }
  let seats = '';
  for (const [seat, own] of bids) seats += `${seats === '' ? '' : ','}{"seat":${JSON.stringify(seat)},"bid":[${own}]}`;
  // Our addresses and currencies hold no characters that JSON escapes.
  const dsaUrl = served[0] === undefined ? '' : `"dsaurl":"${served[0].links.whyUrl}"`;
  const won = input.headerBids === undefined ? '' : `"hb":${renderHeaderBids(input.headerBids)}`;
  const ext = `{${dsaUrl}${dsaUrl !== '' && won !== '' ? ',' : ''}${won}}`;
  return `{"id":${JSON.stringify(request.id)},"cur":"${currency.code}","seatbid":[${seats}],"ext":${ext}}`;
}

function renderHeaderBids(won: readonly WonHeaderBid[]): string {
  return JSON.stringify(
    won.map(({ impid, headerBid: { bidder, adId, width, height } }) => ({ impid, bidder, adId, width, height })),
  );
}

/**
 * A bid as JSON. A banner bid differs from the last one of its creative only in ids and token, which are filled into the stored template.
 */
function writeBid(served: ServedPlacement, input: BidResponseInput): string {
  const { placement, ad, links } = served;
  const { lineItem, creative, bidMicros, dealCode, width, height } = placement;
  if (creative.mediaType !== 'banner' || variesByRequest(creative.creative))
    return JSON.stringify(renderBid(served, input));
  const dsa = input.dsa === null || input.dsa.required < 1 ? -1 : input.dsa.publisherRenders;
  const { npa, workspaceId } = ad;
  const { rate } = input.currency;
  const ofCreative = kept.get(creative.creative) ?? [];
  let bid = ofCreative.find(
    (one) =>
      one.lineItem === lineItem &&
      one.bidMicros === bidMicros &&
      one.rate === rate &&
      one.width === width &&
      one.height === height &&
      one.dealCode === dealCode &&
      one.npa === npa &&
      one.dsa === dsa &&
      one.workspaceId === workspaceId,
  );
  if (bid === undefined) {
    const template = makeTemplate(({ token, impressionId, slotId }) => {
      const sample = { ...placement, slot: { ...placement.slot, slotId } };
      return JSON.stringify(
        renderBid({ ...served, placement: sample, ad: { ...ad, impressionId }, links: links.withToken(token) }, input),
      );
    });
    bid = { lineItem, bidMicros, rate, width, height, dealCode, npa, dsa, workspaceId, template };
    kept.set(creative.creative, [...ofCreative.slice(1 - KEPT_OF_CREATIVE_MAX), bid]);
  }
  return fillTemplate(bid.template, links.token, ad.impressionId, placement.slot.slotId);
}

function renderBid(served: ServedPlacement, input: BidResponseInput): object {
  const { placement, ad, links } = served;
  const { lineItem, creative, width, height } = placement;
  const { categories } = lineItem.advertiser;
  const { attributes } = creative.creative;
  const needsDsa = input.dsa !== null && input.dsa.required >= 1;
  return {
    id: ad.impressionId,
    impid: placement.slot.slotId,
    price: priceOf(placement.bidMicros, input.currency),
    adm: renderMarkup(served, input),
    adomain: lineItem.advertiser.domains,
    cid: lineItem.campaign.id,
    crid: creative.creative.id,
    ...(width > 0 && height > 0 ? { w: width, h: height } : {}),
    mtype: MEDIA[creative.mediaType].markupType,
    ...(categories.length > 0 ? { cat: categories } : {}),
    ...(attributes.length > 0 ? { attr: attributes } : {}),
    ...(placement.dealCode === '' ? {} : { dealid: placement.dealCode }),
    ...renderPod(placement),
    exp: BID_EXPIRES_S,
    burl: links.impressionUrl,
    ext: {
      ems_link: links.impressionUrl,
      dsaurl: links.whyUrl,
      ...(needsDsa && input.dsa !== null
        ? {
            dsa: buildDsa(lineItem.advertiser, input.dsa, {
              domain: input.deliveryHost,
              params: dsaParams(lineItem.dimensions, ad.npa),
            }),
          }
        : {}),
    },
  };
}

/** Of an ad in a pod: its seconds, and the slot that a line item targets, where the caller chooses among slots. */
function renderPod({ slot, creative, lineItem }: ServedPlacement['placement']): object {
  const { content } = creative.creative;
  if (slot.pod === undefined || !isPlayed(content)) return {};
  const { end, sharedMs } = slot.pod;
  const wantsEnd = end !== null && sharedMs !== null && namesKey(lineItem.booked.targeting, POD_SLOT_KEY);
  return {
    dur: Math.ceil(content.durationMs / 1_000),
    ...(wantsEnd ? { slotinpod: end === 'first' ? 1 : -1 } : {}),
  };
}

/** The CPM in the currency of the response. */
function priceOf(bidMicros: number, { rate }: BidCurrency): number {
  return microsToNumber(rate === null ? bidMicros : fromNetworkMicros(bidMicros, rate));
}

function renderMarkup(served: ServedPlacement, input: BidResponseInput): string {
  const { placement, links, ad: ids } = served;
  const { lineItem, slot, width, height } = placement;
  const { creative } = placement.creative;
  const { content } = creative;
  const { privacy } = input.request;
  switch (content.format) {
    case 'IMAGE':
    case 'HTML':
      return renderBanner({ creative, links, width, height, withTracking: true, privacy, ids });
    case 'NATIVE': {
      const adUnitName = input.request.imps.find((imp) => imp.id === slot.slotId)?.adUnitName ?? '';
      const native = { creative, content, links, advertiserName: lineItem.advertiser.name, adUnitName, privacy, ids };
      return slot.native === null ? renderFreeNative(native) : renderNative(native, slot.native);
    }
    case 'VIDEO':
    case 'AUDIO': {
      const protocols = playerOfferOf(slot, content.format)?.protocols ?? [];
      const version = chooseVastVersion(protocols, content.vastTagUrl !== null) ?? '4.2';
      return renderVast(servedVast(served, content, { version, privacy, currency: input.workspace.currency }));
    }
  }
}
