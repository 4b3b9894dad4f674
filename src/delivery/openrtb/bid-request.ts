import { PlacardError } from '../../domain/errors.ts';
import type { Size } from '../../domain/booking/inventory.ts';
import { arrayOf, asObject, flagOf, integerOf, numberOf, objectIn, textOf, textsOf } from './lenient-json.ts';
import type { JsonObject } from './lenient-json.ts';
import {
  flagIn,
  floorIn,
  limitIn,
  LIST_MAX,
  listIn,
  type Parent,
  parentIn,
  PIXELS_MAX,
  refused,
  sizeIn,
  textIn,
  textsIn,
  wholeIn,
  wholesIn,
} from './restricting-members.ts';
import { HEADER_BIDS_MAX, isFault, readHeaderBid } from './header-bids.ts';
import type { SentHeaderBid } from './header-bids.ts';
import { parseNativeRequest } from './native-request.ts';
import type { CompanionSlot, NativeRequest, OfferedDeal, VideoOffer } from '../../domain/requests/opportunity.ts';
import { domainForm, foldText, inNfc } from '../../domain/text/one-form.ts';
import type { PrivacySignals } from './privacy-signals.ts';
import { readPrivacySignals } from './privacy-signals.ts';
import { RecentCache } from '../../storage/recent-cache.ts';

/** Most impressions in one request (conformance T5). */
export const IMPS_MAX = 100;
const DEALS_MAX = 100;
/** Keywords, key-values, values of a key, segments of a list. */
const WORDS_MAX = 200;
/** Most sizes of one slot that are read. */
export const SIZES_MAX = 50;
const TEXT_MAX = 512;
const URL_MAX = 4_096;
const KEYWORDS_KEPT_CHARS_MAX = 512;

/** The words of `site.ext.kwrd`: a page sends the same ones with each request. */
const keywords = new RecentCache<string, readonly string[]>(5_000);

/** Ids as callers send them; '' = none. `lu`: the caller's first-party cookie; `aid`: a hashed account id; `hh`: the household. */
export interface UserIds {
  readonly lu: string;
  readonly aid: string;
  readonly hh: string;
}

/** Deals as sent: floors in currency units. */
export interface BidDeal extends Omit<OfferedDeal, 'floorMicros'> {
  readonly floor: number | null;
  readonly floorCurrency: string;
}

/** One impression of a bid request. Money in currency units as sent. */
export interface BidImp {
  readonly id: string;
  readonly adUnitName: string;
  readonly position: string;
  readonly banner: {
    readonly sizes: readonly Size[];
    readonly blockedAttributes: readonly number[];
    readonly blockedForms?: readonly ('IMAGE' | 'HTML')[];
  } | null;
  readonly video: (VideoOffer & { readonly size: Size | null; readonly blockedAttributes: readonly number[] }) | null;
  /** `free` = the form of the response is left to us; `unreadable` = the slot cannot get a response. */
  readonly native: NativeRequest | 'free' | 'unreadable' | null;
  /** Attributes that native ads may not have. Absent: none. */
  readonly nativeBlocked?: readonly number[];
  readonly floor: number | null;
  readonly floorCurrency: string;
  readonly secure: boolean;
  readonly deals: readonly BidDeal[] | null;
  readonly privateAuction: boolean;
  /** Absent: none. */
  readonly headerBids?: readonly SentHeaderBid[];
  /** Of this slot alone. Absent: none. */
  readonly keyValues?: ReadonlyMap<string, readonly string[]>;
}

/** A bid request. Members that restrict which ads may serve are read strictly, all others leniently: malformed ones count as absent. */
export interface BidRequest {
  readonly id: string;
  readonly imps: readonly BidImp[];
  readonly siteCode: string;
  readonly domain: string;
  readonly pageUrl: string;
  readonly areaCode: string;
  readonly keywords: readonly string[];
  readonly keyValues: ReadonlyMap<string, readonly string[]>;
  readonly userIds: UserIds;
  readonly segments: readonly string[];
  readonly privacy: PrivacySignals;
  readonly device: JsonObject;
  readonly dsa: unknown;
  /** Upper case; empty = any. */
  readonly currencies: readonly string[];
  readonly blockedCategories: readonly string[];
  readonly allowedCategories: readonly string[];
  readonly blockedDomains: readonly string[];
  readonly allowedSeats: readonly string[];
  readonly blockedSeats: readonly string[];
  readonly creativeLanguages: readonly string[];
  /** Milliseconds; null = no limit. */
  readonly timeMaxMs: number | null;
  readonly test: boolean;
}

/**
 * Reads a bid request (specification "Bid request", OpenRTB 2.6).
 * @throws PlacardError `invalid_request` naming the member, for what the specification requires: id, imp with id and one of
 *   banner/video/native each, no two imps of one id, site with id and domain; for more than `IMPS_MAX` impressions; and for a member that
 *   restricts and cannot be read
 */
export function parseBidRequest(value: unknown): BidRequest {
  const root = asObject(value);
  if (root === null) throw invalid('The bid request must be a JSON object.');
  const request: Parent = { at: '', members: root };
  const id = requireText(root['id'], 'id');
  const imps = parseImps(root['imp']);
  const site = asObject(root['site']);
  if (site === null) throw invalid('site is missing; send an object with id and domain.');
  const siteCode = inNfc(requireText(site['id'], 'site.id'));
  const siteDomain = domainForm(requireText(site['domain'], 'site.domain'));
  const siteExt = objectIn(site, 'ext');
  const ext = objectIn(root, 'ext');
  return {
    id,
    imps,
    siteCode,
    domain: siteDomain,
    pageUrl: textOf(site['page'], URL_MAX),
    areaCode: inNfc(textOf(siteExt['area'])),
    keywords: parseKeywords(site, siteExt),
    keyValues: parseKeyValues(ext['keyvalues'] ?? ext['keyValues']),
    ...parseUser(objectIn(root, 'user')),
    privacy: readPrivacySignals(root),
    device: objectIn(root, 'device'),
    dsa: objectIn(objectIn(root, 'regs'), 'ext')['dsa'] ?? objectIn(root, 'regs')['dsa'],
    currencies: textsIn(request, 'cur', LIST_MAX, 8).map((code) => code.toUpperCase()),
    blockedCategories: textsIn(request, 'bcat'),
    allowedCategories: textsIn(request, 'acat'),
    blockedDomains: textsIn(request, 'badv'),
    allowedSeats: textsIn(request, 'wseat'),
    blockedSeats: textsIn(request, 'bseat'),
    creativeLanguages: [
      ...textsIn(request, 'wlang', LIST_MAX, 16),
      ...textsIn(request, 'wlangb', LIST_MAX, 35).map((tag) => tag.split('-', 1)[0] ?? ''),
    ],
    timeMaxMs: positive(numberOf(root['tmax'])),
    test: flagOf(root['test']),
  };
}

function positive(value: number | null): number | null {
  return value === null || value <= 0 ? null : value;
}

function invalid(message: string): PlacardError {
  return new PlacardError('invalid_request', message);
}

function requireText(value: unknown, name: string): string {
  // Ids are returned unchanged, never cut.
  const text = textOf(value, Number.POSITIVE_INFINITY);
  if (text === '') throw invalid(`${name} is missing; it must be a non-empty string.`);
  return text;
}

function parseImps(value: unknown): BidImp[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid('imp is missing or empty; send at least one impression.');
  if (value.length > IMPS_MAX) throw invalid(`imp has ${value.length} impressions; at most ${IMPS_MAX} are taken.`);
  const imps = value.map(parseImp);
  const seen = new Map<string, number>();
  for (const [index, { id }] of imps.entries()) {
    const earlier = seen.get(id);
    if (earlier !== undefined)
      throw invalid(`imp[${index}].id is also the id of imp[${earlier}]; give every impression its own id.`);
    seen.set(id, index);
  }
  return imps;
}

function parseImp(value: unknown, index: number): BidImp {
  const imp = asObject(value);
  if (imp === null) throw invalid(`imp[${index}] must be an object.`);
  const own: Parent = { at: `imp[${index}]`, members: imp };
  const id = requireText(imp['id'], `imp[${index}].id`);
  const banner = parentIn(own, 'banner');
  const video = parentIn(own, 'video');
  const native = parentIn(own, 'native');
  if (banner === null && video === null && native === null) {
    throw invalid(`imp[${index}] needs one of banner, video, native.`);
  }
  const ext = objectIn(imp, 'ext');
  const pmp = parentIn(own, 'pmp');
  return {
    id,
    adUnitName: inNfc(textOf(imp['tagid']) || textOf(ext['placement']) || textOf(ext['adUnit'])),
    position: foldText(textOf(ext['pos']) || textOf(banner?.members['pos'])),
    banner: banner === null ? null : parseBanner(banner),
    video: video === null ? null : parseVideo(video),
    native: native === null ? null : parseNativeRequest(native.members),
    ...(native?.members['battr'] === undefined ? {} : { nativeBlocked: wholesIn(native, 'battr') }),
    floor: floorIn(own, 'bidfloor'),
    floorCurrency: textIn(own, 'bidfloorcur', 8).toUpperCase(),
    secure: flagIn(own, 'secure'),
    deals: pmp === null ? null : parseDeals(pmp),
    privateAuction: pmp !== null && flagIn(pmp, 'private_auction'),
    ...parseHeaderBids(ext['hb']),
    ...parseOwnKeyValues(ext['keyvalues']),
  };
}

function parseOwnKeyValues(value: unknown): Pick<BidImp, 'keyValues'> {
  if (value === undefined) return {};
  const keyValues = parseKeyValues(value);
  return keyValues.size === 0 ? {} : { keyValues };
}

/** A malformed bid counts as absent. */
function parseHeaderBids(value: unknown): Pick<BidImp, 'headerBids'> {
  if (value === undefined) return {};
  const headerBids: SentHeaderBid[] = [];
  for (const one of arrayOf(value, HEADER_BIDS_MAX)) {
    const bid = readHeaderBid(one);
    if (!isFault(bid)) headerBids.push(bid);
  }
  return { headerBids };
}

/** Null where every format is a ratio, or `w` and `h` give no size: none fits for certain. */
function parseBanner(banner: Parent): BidImp['banner'] {
  const formats = arrayOf(listIn(banner, 'format', Number.POSITIVE_INFINITY), SIZES_MAX);
  const sizes = formats.map((format, index) => parseFormat(banner, format, index)).filter((size) => size !== null);
  if (formats.length > 0 && sizes.length === 0) return null;
  const own = formats.length === 0 ? ownSize(banner) : null;
  if (own === 'unknown') return null;
  if (own !== null) sizes.push(own);
  const blockedAttributes = wholesIn(banner, 'battr');
  if (banner.members['btype'] === undefined) return { sizes, blockedAttributes };
  const types = wholesIn(banner, 'btype');
  const blockedForms = (['IMAGE', 'HTML'] as const).filter((form) =>
    types.some((type) => BANNER_TYPES[form].includes(type)),
  );
  return { sizes, blockedAttributes, blockedForms };
}

/** Null for a ratio. */
function parseFormat(banner: Parent, value: unknown, index: number): Size | null {
  const format: Parent = { at: `${banner.at}.format[${index}]`, members: asObject(value) ?? {} };
  const size = sizeIn(format);
  if (size !== null || format.members['wratio'] !== undefined) return size;
  throw refused(format, '', 'an object with w and h');
}

/** Some callers send 0 by 0 for a size that they do not know. */
function ownSize(banner: Parent): Size | 'unknown' | null {
  const width = wholeIn(banner, 'w');
  const height = wholeIn(banner, 'h');
  if ((width ?? 0) === 0 && (height ?? 0) === 0) return null;
  const isSize = [width, height].every((side) => side !== null && side >= 1 && side <= PIXELS_MAX);
  return isSize ? { width: width as number, height: height as number } : 'unknown';
}

/** OpenRTB "Banner Ad Types" of our banners: 2 an image with a link, 3 JavaScript, 4 a frame. */
const BANNER_TYPES: Readonly<Record<'IMAGE' | 'HTML', readonly number[]>> = { IMAGE: [2], HTML: [3, 4] };

/** The size of a player limits nothing: the film is fitted to it. */
function playerSize({ members: { w, h } }: Parent): Size | null {
  const width = integerOf(w, 1, PIXELS_MAX);
  const height = integerOf(h, 1, PIXELS_MAX);
  return width === null || height === null ? null : { width, height };
}

function parseVideo(video: Parent): NonNullable<BidImp['video']> {
  const protocols = wholesIn(video, 'protocols');
  const protocol = wholeIn(video, 'protocol');
  return {
    mimeTypes: textsIn(video, 'mimes').map((mime) => mime.toLowerCase()),
    minDurationMs: (limitIn(video, 'minduration') ?? 0) * 1_000,
    maxDurationMs: (limitIn(video, 'maxduration') ?? Number.POSITIVE_INFINITY) * 1_000,
    protocols: protocols.length === 0 && protocol !== null ? [protocol] : protocols,
    companionPlaces: parseCompanionSlots(video),
    companionTypes: wholesIn(video, 'companiontype'),
    size: playerSize(video),
    blockedAttributes: wholesIn(video, 'battr'),
    ...parseVideoLimits(video),
  };
}

const LIMITING = ['minbitrate', 'maxbitrate', 'delivery', 'rqddurs', 'linearity'];
/** OpenRTB "Video Linearity". */
const NON_LINEAR = 2;

function parseVideoLimits(video: Parent): Pick<VideoOffer, 'limits'> {
  if (!LIMITING.some((name) => video.members[name] !== undefined)) return {};
  const limits = {
    minBitrateKbps: limitIn(video, 'minbitrate') ?? 0,
    maxBitrateKbps: limitIn(video, 'maxbitrate') ?? Number.MAX_SAFE_INTEGER,
    deliveryMethods: wholesIn(video, 'delivery'),
    durationsMs: wholesIn(video, 'rqddurs').map((seconds) => seconds * 1_000),
    isNonLinear: wholeIn(video, 'linearity') === NON_LINEAR,
  };
  return { limits };
}

/** A companion slot without a size matters only when none has a size: for what it blocks. */
function parseCompanionSlots(video: Parent): readonly CompanionSlot[] {
  const companionSlots = listIn(video, 'companionad', LIST_MAX)
    .map((one, index) => parseBanner({ at: `${video.at}.companionad[${index}]`, members: asObject(one) ?? {} }))
    .filter((slot) => slot !== null);
  const sized = companionSlots.filter(({ sizes }) => sizes.length > 0);
  return sized.length > 0 ? sized : companionSlots.filter(({ blockedAttributes }) => blockedAttributes.length > 0);
}

function parseDeals(pmp: Parent): readonly BidDeal[] {
  return arrayOf(listIn(pmp, 'deals', Number.POSITIVE_INFINITY), DEALS_MAX)
    .map((one, index) => parseDeal({ at: `${pmp.at}.deals[${index}]`, members: asObject(one) ?? {} }))
    .filter((deal) => deal !== null);
}

/** Null without an id: no line item belongs to it. */
function parseDeal(deal: Parent): BidDeal | null {
  const code = textOf(deal.members['id']);
  if (code === '') return null;
  return {
    code,
    floor: floorIn(deal, 'bidfloor'),
    floorCurrency: textIn(deal, 'bidfloorcur', 8).toUpperCase(),
    fixedPrice: wholeIn(deal, 'at') === 3,
    seats: textsIn(deal, 'wseat'),
    advertiserDomains: textsIn(deal, 'wadomain').map(domainForm),
  };
}

/** `site.ext.kwrd` is joined with `+` or white space, `site.keywords` with commas; `kwarray` is a list. Lower case, each once. */
function parseKeywords(site: JsonObject, siteExt: JsonObject): readonly string[] {
  const joined = textOf(siteExt['kwrd'], URL_MAX);
  const listed = textOf(site['keywords'], URL_MAX);
  const isOneText = listed === '' && !Array.isArray(site['kwarray']);
  if (isOneText && joined === '') return [];
  const known = isOneText ? keywords.get(joined) : undefined;
  if (known !== undefined) return known;
  const words = new Set<string>();
  const pick = (texts: readonly string[]): void => {
    for (const text of texts) {
      const word = foldText(text.trim());
      if (word !== '' && words.size < WORDS_MAX) words.add(word);
    }
  };
  if (joined !== '') pick(joined.split(/[+\s]+/));
  if (listed !== '') pick(listed.split(','));
  pick(textsOf(site['kwarray'], WORDS_MAX));
  const found = [...words];
  if (isOneText && joined.length <= KEYWORDS_KEPT_CHARS_MAX) keywords.set(joined, found);
  return found;
}

/**
 * Key-values by lower-case key; values lower case. Both in NFC. The `das` adapter writes `kv` before every name: such a pair is found under both names.
 */
export function parseKeyValues(value: unknown): Map<string, readonly string[]> {
  const pairs = new Map<string, readonly string[]>();
  const named = asObject(value);
  if (named === null) return pairs;
  const names = Object.keys(named);
  for (const name of names.length > WORDS_MAX ? names.slice(0, WORDS_MAX) : names) {
    const lower = lowerTextsOf(named[name]);
    const key = foldText(name).slice(0, TEXT_MAX);
    pairs.set(key, lower);
    if (key.startsWith('kv') && key.length > 2 && !pairs.has(key.slice(2))) pairs.set(key.slice(2), lower);
  }
  return pairs;
}

function lowerTextsOf(raw: unknown): string[] {
  if (Array.isArray(raw)) return textsOf(raw, WORDS_MAX).map(foldText);
  const text = typeof raw === 'boolean' ? String(raw) : textOf(raw);
  return text === '' ? [] : [foldText(text)];
}

function parseUser(user: JsonObject): { userIds: UserIds; segments: string[] } {
  const ids = objectIn(objectIn(user, 'ext'), 'ids');
  const userIds = { lu: textOf(ids['lu']), aid: textOf(ids['aid']), hh: textOf(ids['hh']) };
  if (user['data'] === undefined) return { userIds, segments: [] };
  const segments = arrayOf(user['data'], 50).flatMap((data) =>
    arrayOf(asObject(data)?.['segment'], WORDS_MAX).map((segment) => foldText(textOf(asObject(segment)?.['id']))),
  );
  return { userIds, segments: segments.filter((id) => id !== '') };
}
