import { PlacardError } from '../../domain/errors.ts';
import type { Size } from '../../domain/booking/inventory.ts';
import { arrayOf, asObject, flagOf, integerOf, numberOf, objectIn, textOf, textsOf } from './lenient-json.ts';
import type { JsonObject } from './lenient-json.ts';
import {
  flagIn,
  floorIn,
  LIST_MAX,
  listIn,
  type Parent,
  parentIn,
  PIXELS_MAX,
  textIn,
  textsIn,
  wholeIn,
  wholesIn,
} from './restricting-members.ts';
import { HEADER_BIDS_MAX, isFault, readHeaderBid } from './header-bids.ts';
import type { SentHeaderBid } from './header-bids.ts';
import { type BannerObject, parseBanner } from './banner-object.ts';
import { parseNativeRequest } from './native-request.ts';
import { parsePlayer, type PlayerObject } from './player-object.ts';
import { parseSite, requireText, type SiteObject } from './site-object.ts';
import type { NativeRequest, OfferedDeal } from '../../domain/requests/opportunity.ts';
import { domainForm, foldText, inNfc } from '../../domain/text/one-form.ts';
import type { PrivacySignals } from './privacy-signals.ts';
import { readPrivacySignals } from './privacy-signals.ts';

/** Most impressions in one request (conformance T5). */
export const IMPS_MAX = 100;
const DEALS_MAX = 100;
/** Keywords, key-values, values of a key, segments of a list. */
const WORDS_MAX = 200;
const TEXT_MAX = 512;

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
  readonly banner: BannerObject | null;
  readonly video: (PlayerObject & { readonly size: Size | null }) | null;
  readonly audio: PlayerObject | null;
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
export interface BidRequest extends Omit<SiteObject, 'facts'> {
  readonly id: string;
  readonly imps: readonly BidImp[];
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
 *   banner/video/native/audio each, no two imps of one id, a site with id and domain or else an app or a screen; for more than `IMPS_MAX` impressions; and for a member that
 *   restricts and cannot be read
 */
export function parseBidRequest(value: unknown): BidRequest {
  const root = asObject(value);
  if (root === null) throw invalid('The bid request must be a JSON object.');
  const request: Parent = { at: '', members: root };
  const id = requireText(root['id'], 'id');
  const imps = parseImps(root['imp']);
  const { facts, ...site } = parseSite(root);
  const ext = objectIn(root, 'ext');
  const keyValues = parseKeyValues(ext['keyvalues'] ?? ext['keyValues']);
  return {
    id,
    imps,
    ...site,
    keyValues: facts.size === 0 ? keyValues : new Map([...facts, ...keyValues]),
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
  const audio = parentIn(own, 'audio');
  if (banner === null && video === null && native === null && audio === null) {
    throw invalid(`imp[${index}] needs one of banner, video, native, audio.`);
  }
  const ext = objectIn(imp, 'ext');
  const pmp = parentIn(own, 'pmp');
  return {
    id,
    adUnitName: inNfc(textOf(imp['tagid']) || textOf(ext['placement']) || textOf(ext['adUnit'])),
    position: foldText(textOf(ext['pos']) || textOf(banner?.members['pos'])),
    banner: banner === null ? null : parseBanner(banner),
    video: video === null ? null : { ...parsePlayer(video), size: playerSize(video) },
    audio: audio === null ? null : parsePlayer(audio),
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

/** The size of a player limits nothing: the film is fitted to it. */
function playerSize({ members: { w, h } }: Parent): Size | null {
  const width = integerOf(w, 1, PIXELS_MAX);
  const height = integerOf(h, 1, PIXELS_MAX);
  return width === null || height === null ? null : { width, height };
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
