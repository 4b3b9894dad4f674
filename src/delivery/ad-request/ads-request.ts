import { PlacardError } from '../../domain/errors.ts';
import type { Size } from '../../domain/booking/inventory.ts';
import { domainForm, foldText, inNfc } from '../../domain/text/one-form.ts';
import { parseKeyValues } from '../openrtb/bid-request.ts';
import { arrayOf, asObject, integerOf, objectIn, textOf, textsOf } from '../openrtb/lenient-json.ts';
import type { JsonObject } from '../openrtb/lenient-json.ts';
import { flagIn, listIn, type Parent, PIXELS_MAX } from '../openrtb/restricting-members.ts';
import { HEADER_BIDS_MAX, isFault, readHeaderBid } from '../openrtb/header-bids.ts';
import type { SentHeaderBid } from '../openrtb/header-bids.ts';
import { rateAt } from '../openrtb/currencies.ts';
import type { PricedNetwork } from '../openrtb/currencies.ts';
import type { PrivacySignals } from '../openrtb/privacy-signals.ts';
import { readPrivacySignals } from '../openrtb/privacy-signals.ts';
import type { UserIds } from '../openrtb/bid-request.ts';

/** Most ads in one response (conformance T5). */
export const ADS_COUNT_MAX = 20;
/** Longest network id and name of an ad unit that are read, in characters; the rest is cut off. */
export const NETWORK_CHARS_MAX = 32;
export const AD_UNIT_CHARS_MAX = 1_024;
/** Most sizes in one request; further ones are left out. */
export const SIZES_MAX = 50;
const URL_MAX = 4_096;
const LIST_MAX = 200;

/** An ad request (contracts: network, adUnit and count are the specification's; the rest is optional context). */
export interface AdsRequest {
  readonly networkId: string;
  readonly adUnitName: string;
  /** 1…`ADS_COUNT_MAX`. */
  readonly count: number;
  readonly domain: string;
  readonly pageUrl: string;
  readonly keywords: readonly string[];
  readonly keyValues: ReadonlyMap<string, readonly string[]>;
  readonly userIds: UserIds;
  readonly privacy: PrivacySignals;
  readonly device: JsonObject;
  readonly dsa: unknown;
  /** Empty = those of the ad unit. */
  readonly sizes: readonly Size[];
  readonly secure: boolean;
  /** Bids for the first ad; absent: none. */
  readonly headerBids?: readonly SentHeaderBid[];
  readonly explain: boolean;
}

/** Reads an ad request. @throws PlacardError `invalid_request` naming the member for a bad network, adUnit, count, size, `secure` or header bid */
export function parseAdsRequest(value: unknown): AdsRequest {
  const root = asObject(value);
  if (root === null) throw invalid('The ad request must be a JSON object.');
  const networkId = textOf(root['network'], NETWORK_CHARS_MAX);
  if (networkId === '') throw invalid('network is missing; it must be the network id as a string.');
  const adUnitName = inNfc(textOf(root['adUnit'], AD_UNIT_CHARS_MAX));
  if (adUnitName === '') throw invalid('adUnit is missing; it must be the name of an ad unit.');
  const count = root['count'] === undefined ? 1 : root['count'];
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > ADS_COUNT_MAX) {
    throw invalid(`count must be a whole number from 1 to ${ADS_COUNT_MAX}.`);
  }
  const request: Parent = { at: '', members: root };
  const user = objectIn(root, 'user');
  const ids = asObject(user['ids']) ?? user;
  return {
    networkId,
    adUnitName,
    count,
    ...parsePage(root),
    keywords: parseKeywords(root['keywords']),
    keyValues: parseKeyValues(root['keyValues']),
    userIds: { lu: textOf(ids['lu']), aid: textOf(ids['aid']), hh: textOf(ids['hh']) },
    privacy: readPrivacySignals(root),
    device: objectIn(root, 'device'),
    dsa: objectIn(root, 'regs')['dsa'] ?? objectIn(objectIn(root, 'regs'), 'ext')['dsa'],
    sizes: parseSizes(request),
    secure: flagIn(request, 'secure'),
    ...parseHeaderBids(root['hb']),
    explain: root['explain'] === true,
  };
}

function parseHeaderBids(value: unknown): Pick<AdsRequest, 'headerBids'> {
  if (value === undefined || value === null) return {};
  if (!Array.isArray(value) || value.length > HEADER_BIDS_MAX)
    throw invalid(`hb must be a list of at most ${HEADER_BIDS_MAX} header bids.`);
  const headerBids = value.map((one, index) => {
    const bid = readHeaderBid(one);
    if (isFault(bid)) throw invalid(`hb[${index}]${bid.member} ${bid.wants}.`);
    return bid;
  });
  return { headerBids };
}

/** @throws PlacardError `invalid_request` for a header bid in a currency whose exchange rate the network does not have */
export function checkHeaderCurrency({ headerBids = [] }: AdsRequest, network: PricedNetwork, nowMs: number): void {
  const unknown = headerBids.findIndex(
    ({ currency }) => currency !== '' && currency !== network.currency && rateAt(network, currency, nowMs) === null,
  );
  if (unknown < 0) return;
  throw invalid(`hb[${unknown}].currency must be ${network.currency} or a currency with an exchange rate.`);
}

function invalid(message: string): PlacardError {
  return new PlacardError('invalid_request', message);
}

/** `site` is a domain or `{domain}`, `page` an address or `{url}`; the domain comes from the page when the site has none. */
function parsePage(root: JsonObject): { domain: string; pageUrl: string } {
  const site = asObject(root['site']);
  const pageUrl = textOf(root['page'], URL_MAX) || textOf(asObject(root['page'])?.['url'] ?? site?.['page'], URL_MAX);
  const domain = textOf(site === null ? root['site'] : site['domain']);
  return { domain: domainForm(domain || (URL.parse(pageUrl)?.hostname ?? '')), pageUrl };
}

function parseKeywords(value: unknown): string[] {
  const words = typeof value === 'string' ? value.slice(0, URL_MAX).split(/[+,\s]+/) : textsOf(value, LIST_MAX);
  return [...new Set(words.map((word) => foldText(word.trim())))].filter((word) => word !== '').slice(0, LIST_MAX);
}

/** "300x250", [300, 250], {width, height} or {w, h}. */
function parseSizes(request: Parent): Size[] {
  const sizes = arrayOf(listIn(request, 'sizes', Number.POSITIVE_INFINITY), SIZES_MAX);
  return sizes.map((item, index) => {
    const size = parseSize(item);
    if (size === null) throw invalid(`sizes[${index}] must be a size such as "300x250" or {"width":300,"height":250}.`);
    return size;
  });
}

/** A size as text (`300x250`), as a pair or as an object; null for anything else. Sides are whole pixels from 1 to 10,000. */
export function parseSize(item: unknown): Size | null {
  const object = asObject(item);
  const pair = typeof item === 'string' ? item.toLowerCase().split('x') : arrayOf(item, 3);
  if (object === null && pair.length !== 2) return null;
  const width = integerOf(object === null ? pair[0] : (object['width'] ?? object['w']), 1, PIXELS_MAX);
  const height = integerOf(object === null ? pair[1] : (object['height'] ?? object['h']), 1, PIXELS_MAX);
  return width === null || height === null ? null : { width, height };
}
