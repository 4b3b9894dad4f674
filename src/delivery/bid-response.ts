import { formatMicros, microsToNumber } from '../domain/money.ts';
import type { MediaType } from '../domain/creative.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { BidRequest } from './bid-request.ts';
import { renderBanner } from './banner-markup.ts';
import { chooseVastVersion } from './creative-fit.ts';
import { answerDsa, dsaParams } from './dsa.ts';
import type { DsaRequest } from './dsa.ts';
import { renderFreeNative, renderNative } from './native-markup.ts';
import type { ServedPlacement } from './served-placement.ts';
import { renderVast } from './vast-markup.ts';

/** Seconds for which a bid is good. */
const BID_EXPIRES_S = 300;
/** OpenRTB markup types. */
const MARKUP_TYPES: Readonly<Record<MediaType, number>> = { banner: 1, video: 2, native: 4 };

/** What an answer is made from. */
export interface BidAnswerInput {
  readonly request: BidRequest;
  readonly workspace: Workspace;
  readonly dsa: DsaRequest | null;
  /** Host name of delivery, for DSA transparency. */
  readonly deliveryHost: string;
  /** At least one. */
  readonly served: readonly ServedPlacement[];
}

/** The OpenRTB 2.6 answer (checklist B5): bids by seat, `ext.dsaurl` of the first. */
export function renderBidAnswer(input: BidAnswerInput): object {
  const bySeat = Map.groupBy(input.served, ({ placement }) => placement.row.seat);
  return {
    id: input.request.id,
    cur: input.workspace.currency,
    seatbid: [...bySeat].map(([seat, served]) => ({ seat, bid: served.map((one) => renderBid(one, input)) })),
    ext: { dsaurl: input.served[0]?.links.whyUrl },
  };
}

function renderBid(served: ServedPlacement, input: BidAnswerInput): object {
  const { placement, ad, links } = served;
  const { row, creative, width, height } = placement;
  const { categories } = row.advertiser;
  const { attributes } = creative.creative;
  const wantsDsa = input.dsa !== null && input.dsa.required >= 1;
  return {
    id: ad.impressionId,
    impid: placement.slot.slotId,
    price: microsToNumber(placement.bidMicros),
    adm: renderMarkup(served, input),
    adomain: row.advertiser.domains,
    cid: row.campaign.id,
    crid: creative.creative.id,
    ...(width > 0 && height > 0 ? { w: width, h: height } : {}),
    mtype: MARKUP_TYPES[creative.mediaType],
    ...(categories.length > 0 ? { cat: categories } : {}),
    ...(attributes.length > 0 ? { attr: attributes } : {}),
    ...(placement.dealCode === '' ? {} : { dealid: placement.dealCode }),
    exp: BID_EXPIRES_S,
    burl: links.impressionUrl,
    ext: {
      ems_link: links.impressionUrl,
      dsaurl: links.whyUrl,
      ...(wantsDsa && input.dsa !== null
        ? {
            dsa: answerDsa(row.advertiser, input.dsa, {
              domain: input.deliveryHost,
              params: dsaParams(row.dimensions, ad.npa),
            }),
          }
        : {}),
    },
  };
}

function renderMarkup(served: ServedPlacement, input: BidAnswerInput): string {
  const { placement, links, ad } = served;
  const { row, slot, width, height } = placement;
  const { creative } = placement.creative;
  const { content } = creative;
  if (content.format === 'NATIVE') {
    const adUnitName = input.request.imps.find((imp) => imp.id === slot.slotId)?.adUnitName ?? '';
    const native = { creative, content, links, advertiserName: row.advertiser.name, adUnitName };
    return slot.native === null ? renderFreeNative(native) : renderNative(native, slot.native);
  }
  if (content.format === 'VIDEO') {
    return renderVast({
      creative,
      content,
      links,
      version: chooseVastVersion(slot.video?.protocols ?? [], content.vastTagUrl !== null) ?? '4.2',
      impressionId: ad.impressionId,
      advertiserName: row.advertiser.name,
      categories: row.advertiser.categories,
      price: { decimal: formatMicros(BigInt(placement.bidMicros)), currency: input.workspace.currency },
      mimeTypes: slot.video?.mimeTypes ?? [],
    });
  }
  return renderBanner({ creative, links, width, height, withTracking: true });
}
