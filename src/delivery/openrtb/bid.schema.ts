/**
 * The API description of bids. `parseBidRequest` parses requests by hand: it runs for every ad, treats malformed optional members as absent
 * (B3), and names the first required member that is missing. The limits here are those of the parser, and a test compares the two: the
 * parser accepts every request that fits this schema.
 */
import { z } from 'zod';
import { IMPS_MAX, PIXELS_MAX, SIZES_MAX } from './bid-request.ts';

const text = (description: string) => z.string().describe(description);
const id = (description: string) => z.string().min(1).max(1_024).describe(description);
const flag = (description: string) => z.union([z.literal(0), z.literal(1)]).describe(description);
const size = z.looseObject({ w: z.int().min(1).max(PIXELS_MAX), h: z.int().min(1).max(PIXELS_MAX) });
/** The ids by which the page knows its user. */
export const UserIds = z.looseObject({
  lu: text("The caller's first-party user id; used only with consent.").optional(),
  aid: text('Hashed account id; used when there is no lu.').optional(),
});

const imp = z
  .looseObject({
    id: id('Slot id; impid of its bid.'),
    tagid: text('Name of the ad unit.').optional(),
    banner: z.looseObject({ format: z.array(size).max(SIZES_MAX).optional() }).optional(),
    video: z.looseObject({}).optional(),
    native: z.looseObject({}).optional(),
    secure: flag('1: HTTPS creatives only.').optional(),
    bidfloor: z
      .number()
      .min(0)
      .describe('CPM; in the currency of the network unless bidfloorcur names another.')
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

/** A bid request: the required members, and the optional ones that are used most. Other OpenRTB 2.6 members are accepted. */
export const BidRequest = z
  .looseObject({
    id: id('Unique; a repeated id within 5 minutes counts once.'),
    imp: z.array(imp).min(1).max(IMPS_MAX),
    site: z.looseObject({
      id: id('Site id.'),
      domain: id('Domain; required also beside a page address.'),
      page: text('Page address.').optional(),
      ext: z.looseObject({ area: z.string().optional(), kwrd: text('Keywords joined with +.').optional() }).optional(),
    }),
    user: z
      .looseObject({
        consent: text('TCF consent string.').optional(),
        ext: z
          .looseObject({ npa: z.boolean().describe('true: contextual ads only.').optional(), ids: UserIds.optional() })
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
    tmax: z.number().min(0).describe('Milliseconds; a later response becomes 204.').optional(),
    test: flag('1: a test request, which gets a response and is never billed.').optional(),
  })
  .describe('OpenRTB 2.6 bid request.');

const dsaFacts = z.looseObject({
  behalf: z.string().max(100).optional(),
  paid: z.string().max(100).optional(),
  adrender: z.int().optional(),
  transparency: z.array(z.looseObject({ domain: z.string(), dsaparams: z.array(z.int()) })).optional(),
});

/** A bid response. */
export const BidResponse = z
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
                exp: z.int().describe('Seconds for which the bid is valid.'),
                burl: text('Counts the impression; repeats count once.'),
                ext: z.looseObject({
                  ems_link: text(
                    'Impression tracking URL: fire it when the ad is shown. Impressions count only when it is fired.',
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
    ext: z.looseObject({ dsaurl: text('Page behind "Why this ad?" of the first bid; link it near the ad.') }),
  })
  .describe('OpenRTB 2.6 bid response.');
