/**
 * The API description of ad requests. `parseAdsRequest` parses them by hand, like bid requests: for every ad, and leniently when a member
 * is optional. The limits here are those of the parser, and a test compares the two.
 */
import { z } from 'zod';
import { CREATIVE_FORMATS } from '../../domain/creative-format.ts';
import { HeaderBid, UserIds, WonHeaderBid } from '../openrtb/bid.schema.ts';
import { HEADER_BIDS_MAX } from '../openrtb/header-bids.ts';
import { AD_UNIT_CHARS_MAX, ADS_COUNT_MAX, NETWORK_CHARS_MAX, SIZES_MAX } from './ads-request.ts';

const text = (description: string) => z.string().describe(description);
const named = (description: string, charsMax: number) => z.string().min(1).max(charsMax).describe(description);

/** A request for ads of a named ad unit. */
export const AdsRequest = z
  .looseObject({
    network: named('Network id, that of the key.', NETWORK_CHARS_MAX),
    adUnit: named('Name of the ad unit.', AD_UNIT_CHARS_MAX),
    count: z.int().min(1).max(ADS_COUNT_MAX).describe('Most ads; default 1.').optional(),
    site: z.union([z.string(), z.looseObject({ domain: z.string().optional() })]).optional(),
    page: text('Page address.').optional(),
    keywords: z.array(z.string()).optional(),
    keyValues: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
    user: z
      .looseObject({ ids: UserIds.optional(), npa: z.boolean().optional(), consent: z.string().optional() })
      .optional(),
    regs: z
      .looseObject({
        gdpr: z
          .union([z.literal(0), z.literal(1)])
          .describe('1 where GDPR applies.')
          .optional(),
      })
      .optional(),
    device: z
      .looseObject({ ua: z.string().optional(), ip: z.string().optional(), langb: z.string().optional() })
      .describe("The user's.")
      .optional(),
    sizes: z
      .array(z.string().regex(/^[1-9]\d{0,3}x[1-9]\d{0,3}$/))
      .max(SIZES_MAX)
      .describe('Default: those of the ad unit.')
      .optional(),
    hb: z
      .array(HeaderBid)
      .max(HEADER_BIDS_MAX)
      .describe('Bids of header bidders; the highest competes for the first ad.')
      .optional(),
  })
  .describe('Request for ads of a named ad unit.');

/** Ads, best first. */
export const AdsAnswer = z
  .looseObject({
    requestId: z.string(),
    network: z.string(),
    adUnit: z.string(),
    serverTime: z.string(),
    privacy: z.looseObject({ gdpr: z.boolean(), npa: z.boolean(), reason: z.string().nullable() }),
    ads: z
      .array(
        z.looseObject({
          position: z.int(),
          impressionId: z.string(),
          campaignId: z.string(),
          lineItemId: z.string(),
          creativeId: z.string(),
          companionOf: text('The master of the same response that it accompanies; null = it serves alone.').nullable(),
          type: z.string(),
          dealId: z.string().nullable(),
          advertiser: z.looseObject({ id: z.string(), name: z.string(), domains: z.array(z.string()) }),
          format: z.enum(CREATIVE_FORMATS),
          width: z.int(),
          height: z.int(),
          content: z.looseObject({}).describe('One shape per format.'),
          html: text('Ready-made markup, for IMAGE and HTML.').optional(),
          tracking: z.looseObject({
            impressionUrl: text('Fire it when the ad is shown.'),
            clickUrl: z.string(),
            viewableUrl: z.string(),
            thirdPartyImpressionUrls: z.array(z.string()),
          }),
          dsa: z.looseObject({ behalf: z.string().nullable(), paid: z.string().nullable(), url: z.string() }),
          expiresAt: text('An impression fired later is not counted.'),
        }),
      )
      .max(ADS_COUNT_MAX),
    noFill: z
      .looseObject({ code: z.string() })
      .nullable()
      .describe('The no-fill reason; header_bid if a header bidder won and there are no other ads.'),
    headerBid: WonHeaderBid.omit({ impid: true })
      .nullable()
      .describe('Present with hb: the header bid that won the first ad, for the caller to show; null = none won.')
      .optional(),
  })
  .describe('Ads, best first.');
