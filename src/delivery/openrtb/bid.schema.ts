/**
 * The API description of bids. `parseBidRequest` parses requests by hand: it runs for every ad, refuses a malformed member that restricts
 * which ads may serve, treats other malformed optional members as absent (B3), and names the member. The limits here are those of the
 * parser, and a test compares the two: the parser accepts every request that fits this schema.
 */
import { z } from 'zod';
import { SIZES_MAX } from './banner-object.ts';
import { IMPS_MAX } from './bid-request.ts';
import { PIXELS_MAX } from './restricting-members.ts';
import { AD_ID_CHARS_MAX, BIDDER_CHARS_MAX, HEADER_BIDS_MAX, HEADER_CPM_MAX } from './header-bids.ts';

const text = (description: string) => z.string().describe(description);
const id = (description: string) => z.string().min(1).max(1_024).describe(description);
const flag = (description: string) => z.union([z.literal(0), z.literal(1)]).describe(description);
const size = z.looseObject({ w: z.int().min(1).max(PIXELS_MAX), h: z.int().min(1).max(PIXELS_MAX) });
/** The ids by which the page knows its user. */
export const UserIds = z.looseObject({
  lu: text("The caller's first-party user id; used only with consent.").optional(),
  aid: text('Hashed account id; used when there is no lu.').optional(),
  hh: text('Id of the household, for frequency caps per household; used only with consent.').optional(),
});

/** A bid that a header bidder made before the request. */
export const HeaderBid = z
  .looseObject({
    bidder: z.string().min(1).max(BIDDER_CHARS_MAX),
    cpm: z.number().min(0).max(HEADER_CPM_MAX).describe('CPM.'),
    currency: z
      .string()
      .length(3)
      .describe(
        "ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete.",
      )
      .optional(),
    size: z
      .string()
      .regex(/^\d{1,4}x\d{1,4}$/)
      .optional(),
    adId: z.string().min(1).max(AD_ID_CHARS_MAX).describe('The id by which the page renders the ad.'),
  })
  .describe('A bid of a header bidder.');

/** A header bid that won a slot. */
export const WonHeaderBid = z.looseObject({
  impid: text('Its slot.'),
  bidder: z.string(),
  adId: z.string(),
  width: z.int(),
  height: z.int(),
});

/** An optional member of OpenRTB 2.6. */
const maybe = (schema: z.ZodType, description: string) => schema.describe(description).optional();
const texts = z.array(z.string());
const integers = z.array(z.int());
const currency = z.string().length(3);

const bannerMembers = {
  format: z.array(size).max(SIZES_MAX).optional(),
  w: maybe(z.int(), 'Width, where there is no format.'),
  h: maybe(z.int(), 'Height, where there is no format.'),
  pos: maybe(z.union([z.string(), z.int()]), 'Position of the slot.'),
  btype: maybe(integers, 'Blocked types of banners: 2 images, 3 and 4 HTML.'),
  battr: maybe(integers, 'Blocked attributes of creatives.'),
};

const playerMembers = {
  mimes: maybe(texts, 'Media types that the player takes.'),
  minduration: maybe(z.number(), 'Seconds.'),
  maxduration: maybe(z.number(), 'Seconds.'),
  rqddurs: maybe(integers, 'Exact durations in seconds.'),
  minbitrate: maybe(z.number(), 'Kilobits per second of a media file.'),
  maxbitrate: maybe(z.number(), 'Kilobits per second of a media file.'),
  delivery: maybe(integers, 'Delivery of media files: 1 streaming, 2 progressive.'),
  protocols: maybe(integers, 'VAST versions.'),
  battr: maybe(integers, 'Blocked attributes of creatives.'),
  companionad: maybe(z.array(z.looseObject(bannerMembers)), 'Slots for companions.'),
  companiontype: maybe(integers, 'Forms of companions.'),
  podid: maybe(z.string(), 'Impressions of one pod have one id: their ads are chosen together.'),
  podseq: maybe(z.int(), 'The pod in the content: 1 the first, -1 the last.'),
  slotinpod: maybe(z.int(), 'The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any.'),
  poddur: maybe(z.number(), 'Seconds of a pod whose ads the response chooses: it has a bid for each.'),
  maxseq: maybe(z.int(), 'Most ads of such a pod.'),
  mincpmpersec: maybe(z.number(), 'Lowest CPM by second of an ad.'),
  durfloors: maybe(
    z.array(
      z.looseObject({
        mindur: maybe(z.int(), 'Seconds.'),
        maxdur: maybe(z.int(), 'Seconds.'),
        bidfloor: maybe(z.number(), 'CPM.'),
      }),
    ),
    'Floors by duration; bidfloor counts for others.',
  ),
};

const videoMembers = {
  ...playerMembers,
  linearity: maybe(z.int(), '2: non-linear only, which no ad is.'),
  protocol: maybe(z.int(), 'One VAST version, where there are no protocols.'),
  w: maybe(z.int(), 'Width of the player.'),
  h: maybe(z.int(), 'Height of the player.'),
};

const deal = z.looseObject({
  id: z.string().describe('Code of the deal.'),
  bidfloor: maybe(z.number(), 'CPM.'),
  bidfloorcur: maybe(currency, 'ISO 4217. A floor in a currency without an exchange rate gets no bid.'),
  at: maybe(z.int(), '3: the floor is the fixed price.'),
  wseat: maybe(texts, 'Seats that may buy.'),
  wadomain: maybe(texts, 'Domains of advertisers that may buy.'),
});

const keyValues = (description: string) =>
  maybe(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), texts])), description);

const imp = z
  .looseObject({
    id: id('Slot id; impid of its bid.'),
    tagid: text('Name of the ad unit.').optional(),
    banner: z.looseObject(bannerMembers).optional(),
    video: z.looseObject(videoMembers).optional(),
    audio: z.looseObject(playerMembers).optional(),
    native: z
      .looseObject({
        request: maybe(z.union([z.string(), z.looseObject({})]), 'OpenRTB Native 1.0 to 1.2.'),
        battr: maybe(integers, 'Blocked attributes of creatives.'),
      })
      .optional(),
    secure: flag('1: HTTPS creatives only.').optional(),
    bidfloor: z
      .number()
      .min(0)
      .describe('CPM; in the currency of the network unless bidfloorcur names another.')
      .optional(),
    bidfloorcur: maybe(currency, 'ISO 4217. A floor in a currency without an exchange rate gets no bid.'),
    pmp: z
      .looseObject({
        private_auction: maybe(z.union([z.literal(0), z.literal(1)]), '1: only the deals may serve.'),
        deals: maybe(z.array(deal), 'Deals of the slot.'),
      })
      .optional(),
    ext: z
      .looseObject({
        placement: maybe(z.string(), 'Name of the ad unit, where there is no tagid.'),
        adUnit: maybe(z.string(), 'The same.'),
        pos: maybe(z.string(), 'Position of the slot.'),
        hb: z
          .array(HeaderBid)
          .max(HEADER_BIDS_MAX)
          .describe('Bids of header bidders; the highest competes for the slot.')
          .optional(),
        keyvalues: keyValues('Key-values of the slot; a key of the page with the same name does not count for it.'),
      })
      .optional(),
  })
  .and(
    z.union([
      z.looseObject({ banner: z.looseObject({}) }),
      z.looseObject({ video: z.looseObject({}) }),
      z.looseObject({ native: z.looseObject({}) }),
      z.looseObject({ audio: z.looseObject({}) }),
    ]),
  )
  .describe('One ad slot; needs one of banner, video, native; audio alone is for ad units of media type AUDIO.');

const regsMembers = {
  gpp: maybe(z.string(), 'GPP string.'),
  us_privacy: maybe(z.string(), 'US Privacy, four characters.'),
  coppa: maybe(z.union([z.literal(0), z.literal(1)]), '1: directed at children.'),
};

const deviceMembers = {
  ua: maybe(z.string(), 'User agent; default: the header of the request.'),
  sua: maybe(z.looseObject({}), 'User agent in parts.'),
  devicetype: maybe(z.int().min(0).max(8), 'Kind of device.'),
  os: maybe(z.string(), 'Operating system.'),
  language: maybe(z.string(), 'ISO 639-1.'),
  langb: maybe(z.string(), 'BCP 47.'),
  ip: maybe(z.string(), 'Address, for the country; default: that of the caller.'),
  ipv6: maybe(z.string(), 'The same.'),
  lmt: maybe(z.union([z.literal(0), z.literal(1)]), '1: tracking is limited.'),
  dnt: maybe(z.union([z.literal(0), z.literal(1)]), '1: do not track.'),
  geo: z
    .looseObject({
      country: maybe(z.string(), 'ISO 3166-1, two or three letters.'),
      region: maybe(z.string(), 'ISO 3166-2, without the country.'),
      city: maybe(z.string(), 'Name.'),
    })
    .optional(),
};

const shownMembers = {
  keywords: maybe(z.string(), 'Keywords joined with commas.'),
  kwarray: maybe(texts, 'Keywords.'),
  content: maybe(z.looseObject({}), 'The content; its texts are key-values such as `content.genre`.'),
  ext: z
    .looseObject({
      area: maybe(z.string(), 'Code of the area.'),
      kwrd: maybe(z.string(), 'Keywords joined with + or spaces.'),
    })
    .optional(),
};

/** A bid request: the required members, and the optional ones that are used most. Other OpenRTB 2.6 members are accepted. */
export const BidRequest = z
  .looseObject({
    id: id('Unique; a repeated id within 5 minutes counts once.'),
    imp: z.array(imp).min(1).max(IMPS_MAX),
    site: z
      .looseObject({
        id: id('Site id.'),
        domain: id('Domain; required also beside a page address.'),
        page: text('Page address.').optional(),
        ...shownMembers,
      })
      .optional(),
    app: z
      .looseObject({
        id: maybe(z.string(), 'Site id; default: the bundle.'),
        bundle: maybe(z.string(), 'Id in the app store.'),
        domain: maybe(z.string(), 'Domain of the app.'),
        ...shownMembers,
      })
      .describe('The app that shows the ad, where there is no site.')
      .optional(),
    dooh: z
      .looseObject({
        id: maybe(z.string(), 'Site id.'),
        domain: maybe(z.string(), 'Domain of the owner.'),
        venuetype: maybe(texts, 'Types of the venue.'),
        ...shownMembers,
      })
      .describe('The screen that shows the ad, where there is no site and no app.')
      .optional(),
    device: z.looseObject(deviceMembers).optional(),
    user: z
      .looseObject({
        consent: text('TCF consent string.').optional(),
        npa: maybe(z.boolean(), 'true: contextual ads only.'),
        data: maybe(
          z.array(z.looseObject({ segment: z.array(z.looseObject({ id: z.string() })).optional() })),
          'Segments of the user; used only with consent.',
        ),
        ext: z
          .looseObject({
            npa: z.boolean().describe('true: contextual ads only.').optional(),
            consent: maybe(z.string(), 'TCF consent string.'),
            ids: UserIds.optional(),
          })
          .optional(),
      })
      .optional(),
    regs: z
      .looseObject({
        gdpr: flag('1 where GDPR applies.').optional(),
        consent: maybe(z.string(), 'TCF consent string.'),
        ...regsMembers,
        usPrivacy: maybe(z.string(), 'US Privacy, four characters.'),
        dsa: maybe(z.union([z.int().min(0).max(3), z.looseObject({})]), '1, or the IAB object.'),
        ext: z
          .looseObject({
            gdpr: flag('1 where GDPR applies.').optional(),
            ...regsMembers,
            dsa: z
              .union([z.int().min(0).max(3), z.looseObject({})])
              .describe('1, or the IAB object.')
              .optional(),
          })
          .optional(),
      })
      .optional(),
    npa: maybe(z.boolean(), 'true: contextual ads only.'),
    cur: maybe(
      z.array(currency),
      "Currencies that the caller takes. Bids are in the network's if it is one of them, else in the first with an exchange rate, else there is no bid.",
    ),
    bcat: maybe(texts, 'Blocked categories of advertisers.'),
    acat: maybe(texts, 'Allowed categories of advertisers; others get no bid.'),
    badv: maybe(texts, 'Blocked domains of advertisers.'),
    wseat: maybe(texts, 'Only these seats.'),
    bseat: maybe(texts, 'Not these seats.'),
    wlang: maybe(texts, 'Languages of creatives that the caller takes.'),
    wlangb: maybe(texts, 'The same as tags of BCP 47.'),
    ext: z
      .looseObject({
        keyvalues: keyValues('Key-values of the page; line items target them.'),
        keyValues: keyValues('The same, where there is no keyvalues.'),
      })
      .optional(),
    tmax: z.number().min(0).describe('Milliseconds; a later response becomes 204.').optional(),
    test: flag('1: a test request, which gets a response and is never billed.').optional(),
  })
  .and(
    z.union([
      z.looseObject({ site: z.looseObject({}) }),
      z.looseObject({ app: z.looseObject({}) }),
      z.looseObject({ dooh: z.looseObject({}) }),
    ]),
  )
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
                adm: text('HTML (mtype 1), VAST (2 video, 3 audio), or a JSON text (4).'),
                adomain: z.array(z.string()),
                cid: z.string(),
                crid: z.string(),
                w: z.int().optional(),
                h: z.int().optional(),
                mtype: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
                dealid: z.string().optional(),
                dur: maybe(z.int(), 'Of an ad in a pod: its seconds.'),
                slotinpod: maybe(z.int(), 'Of an ad that is for the first (1) or last (-1) slot alone.'),
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
      .describe('Empty only if header bidders won every slot that has a winner.'),
    ext: z.looseObject({
      dsaurl: text(
        'Page behind "Why this ad?" of the first bid; link it near the ad. Absent without a bid.',
      ).optional(),
      hb: z.array(WonHeaderBid).describe('Header bids that won, for the page to show; absent if none won.').optional(),
    }),
  })
  .describe('OpenRTB 2.6 bid response.');
