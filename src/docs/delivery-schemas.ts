import { z } from 'zod';

const text = (description: string) => z.string().describe(description);
const id = (description: string) => z.string().min(1).max(1_024).describe(description);
const flag = (description: string) => z.union([z.literal(0), z.literal(1)]).describe(description);
const size = z.looseObject({ w: z.int().min(1).max(10_000), h: z.int().min(1).max(10_000) });
const userIds = z.looseObject({
  lu: text("The caller's first-party user id; not used without consent.").optional(),
  aid: text('Hashed account id; used when there is no lu.').optional(),
});

const imp = z
  .looseObject({
    id: id('Slot id; impid of its bid.'),
    tagid: text('Name of the ad unit.').optional(),
    banner: z.looseObject({ format: z.array(size).max(50).optional() }).optional(),
    video: z.looseObject({}).optional(),
    native: z.looseObject({}).optional(),
    secure: flag('1: HTTPS creatives only.').optional(),
    bidfloor: z
      .number()
      .min(0)
      .describe('CPM; in the currency of the network unless bidfloorcur says another.')
      .optional(),
  })
  .and(
    z.union([
      z.looseObject({ banner: z.looseObject({}) }),
      z.looseObject({ video: z.looseObject({}) }),
      z.looseObject({ native: z.looseObject({}) }),
    ]),
  )
  .describe('One ad slot; needs one of banner, video, native.');

/** A bid request: what the specification requires, and the members that are read most. OpenRTB 2.6 members beyond these are taken. */
const BidRequest = z
  .looseObject({
    id: id('Unique; the same id again within 5 minutes counts nothing twice.'),
    imp: z.array(imp).min(1).max(100),
    site: z.looseObject({
      id: id('Site id.'),
      domain: id('Domain; a page address does not stand in for it.'),
      page: text('Page address.').optional(),
      ext: z.looseObject({ area: z.string().optional(), kwrd: text('Keywords joined with +.').optional() }).optional(),
    }),
    user: z
      .looseObject({
        consent: text('TCF consent string.').optional(),
        ext: z
          .looseObject({ npa: z.boolean().describe('No personalised ads.').optional(), ids: userIds.optional() })
          .optional(),
      })
      .optional(),
    regs: z
      .looseObject({
        gdpr: flag('1 where GDPR applies.').optional(),
        ext: z
          .looseObject({
            dsa: z
              .union([z.int().min(0).max(3), z.looseObject({})])
              .describe('1, or the IAB object.')
              .optional(),
          })
          .optional(),
      })
      .optional(),
    tmax: z.number().min(0).describe('Milliseconds; a later answer is a 204.').optional(),
    test: flag('1: answered, never billed.').optional(),
  })
  .describe('OpenRTB 2.6 bid request.');

const dsaFacts = z.looseObject({
  behalf: z.string().max(100).optional(),
  paid: z.string().max(100).optional(),
  adrender: z.int().optional(),
  transparency: z.array(z.looseObject({ domain: z.string(), dsaparams: z.array(z.int()) })).optional(),
});

/** A bid response. */
const BidResponse = z
  .looseObject({
    id: text('Id of the request.'),
    cur: text('ISO 4217.'),
    seatbid: z
      .array(
        z.looseObject({
          seat: z.string(),
          bid: z
            .array(
              z.looseObject({
                id: z.string(),
                impid: z.string(),
                price: z.number().min(0).describe('CPM.'),
                adm: text('HTML (mtype 1), VAST (2), or a JSON text (4).'),
                adomain: z.array(z.string()),
                cid: z.string(),
                crid: z.string(),
                w: z.int().optional(),
                h: z.int().optional(),
                mtype: z.union([z.literal(1), z.literal(2), z.literal(4)]),
                dealid: z.string().optional(),
                exp: z.int().describe('Seconds for which the bid is good.'),
                burl: text('Counts the impression; repeats count once.'),
                ext: z.looseObject({
                  ems_link: text(
                    'Impression tracking URL: fire it when the ad is shown. Unfired impressions count nowhere.',
                  ),
                  dsaurl: text('Page behind "Why this ad?".'),
                  dsa: dsaFacts.optional(),
                }),
              }),
            )
            .min(1),
        }),
      )
      .min(1),
    ext: z.looseObject({ dsaurl: text('Page behind "Why this ad?" of the first bid; to be linked near the ad.') }),
  })
  .describe('OpenRTB 2.6 bid response.');

/** A request for ads of a named ad unit. */
const AdsRequest = z
  .looseObject({
    network: id('Network id, that of the key.').max(32),
    adUnit: id('Name of the ad unit.'),
    count: z.int().min(1).max(20).describe('Ads at most; 1 unless given.').optional(),
    site: z.union([z.string(), z.looseObject({ domain: z.string().optional() })]).optional(),
    page: text('Page address.').optional(),
    keywords: z.array(z.string()).optional(),
    keyValues: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
    user: z
      .looseObject({ ids: userIds.optional(), npa: z.boolean().optional(), consent: z.string().optional() })
      .optional(),
    regs: z.looseObject({ gdpr: flag('1 where GDPR applies.').optional() }).optional(),
    device: z
      .looseObject({ ua: z.string().optional(), ip: z.string().optional() })
      .describe("The reader's.")
      .optional(),
    sizes: z
      .array(z.string().regex(/^[1-9]\d{0,3}x[1-9]\d{0,3}$/))
      .max(50)
      .describe('Those of the ad unit unless given.')
      .optional(),
  })
  .describe('Request for ads of a named ad unit.');

/** Ads, best first. */
const AdsAnswer = z
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
          companionOf: text('Creative of the same answer beside which it stands; null = it stands alone.').nullable(),
          type: z.string(),
          dealId: z.string().nullable(),
          advertiser: z.looseObject({ id: z.string(), name: z.string(), domains: z.array(z.string()) }),
          format: z.enum(['IMAGE', 'HTML', 'NATIVE', 'VIDEO']),
          width: z.int(),
          height: z.int(),
          content: z.looseObject({}).describe('One shape a format.'),
          html: text('Ready to place; of IMAGE and HTML.').optional(),
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
      .max(20),
    noFill: z.looseObject({ code: z.string() }).nullable().describe('Why there is none.'),
  })
  .describe('Ads, best first.');

/** Text without control characters. */
const plainText = (charsMin: number, charsMax: number) =>
  z.string().regex(new RegExp(`^[^\\u0000-\\u001f\\u007f]{${charsMin},${charsMax}}$`));
const decimal = z.string().regex(/^\d{1,12}(?:\.\d{1,6})?$/);

/** An activity event. */
const ActivityEvent = z
  .looseObject({
    network: z
      .string()
      .regex(/^\d{1,20}$/)
      .describe('Network id, that of the key.'),
    actgid: plainText(1, 128).describe('Activity pixel id.'),
    event: plainText(1, 64).describe('Event name, such as purchased.'),
    cost: decimal.describe('Decimal amount as text.').optional(),
    ord: plainText(0, 128).describe('Order reference: with it an event sent twice counts once.').optional(),
    lu: plainText(0, 256).describe('User id of the page.').optional(),
    aid: plainText(0, 256).describe('Hashed account id.').optional(),
    clickId: z
      .string()
      .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
      .describe('Impression id of the click.')
      .optional(),
    qty: z.int().min(0).max(1_000_000_000).optional(),
    tax: decimal.optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .describe("ISO 4217; the network's unless given.")
      .optional(),
    npa: z.boolean().optional(),
  })
  .describe('Conversion or activity event.');

/** What became of an activity event. */
const ActivityAnswer = z
  .looseObject({ eventId: z.string(), status: z.enum(['accepted', 'duplicate']) })
  .describe('202 accepted: it is on disk. 200 duplicate: its order reference was recorded before.');

/** Bodies of the delivery server, by the name that the description gives them. */
export const DELIVERY_SCHEMAS = { BidRequest, BidResponse, AdsRequest, AdsAnswer, ActivityEvent, ActivityAnswer };
