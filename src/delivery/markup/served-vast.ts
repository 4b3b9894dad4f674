import type { MacroPrivacy } from '../../domain/booking/macros.ts';
import type { PlayedContent } from '../../domain/booking/creative.ts';
import { formatMicros } from '../../domain/money/money.ts';
import { playerOfferOf } from '../../domain/requests/opportunity.ts';
import type { VastVersion } from '../decision/creative-fit.ts';
import type { ServedPlacement } from './served-placement.ts';
import { vastCompanions } from './vast-companion.ts';
import type { VastInput } from './vast-markup.ts';

/** What differs between the endpoints that return VAST. */
export interface VastTerms {
  readonly version: VastVersion;
  readonly privacy: MacroPrivacy;
  /** The currency of the network, for callers that may see the price; null hides it. */
  readonly currency: string | null;
}

/** The input of VAST for an ad that was served. Media files are those that its slot accepts. */
export function servedVast(served: ServedPlacement, content: PlayedContent, terms: VastTerms): VastInput {
  const { placement, ad, links } = served;
  const { advertiser } = placement.lineItem;
  const { version, privacy, currency } = terms;
  return {
    creative: placement.creative.creative,
    content,
    links,
    version,
    impressionId: ad.impressionId,
    advertiserName: advertiser.name,
    categories: advertiser.categories,
    price: currency === null ? null : { decimal: formatMicros(BigInt(placement.bidMicros)), currency },
    offer: playerOfferOf(placement.slot, content.format),
    companions: vastCompanions(served, privacy),
    privacy,
    ids: ad,
  };
}
