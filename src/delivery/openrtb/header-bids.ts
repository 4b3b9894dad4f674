import { toNetworkMicrosDown } from '../../domain/tenancy/exchange-rates.ts';
import type { HeaderBid } from '../../domain/requests/opportunity.ts';
import { rateAt } from './currencies.ts';
import type { PricedNetwork } from './currencies.ts';
import { asObject, integerOf, numberOf, textOf } from './lenient-json.ts';
import type { JsonObject } from './lenient-json.ts';

/** Most bids of one slot. */
export const HEADER_BIDS_MAX = 50;
/** The highest accepted price, CPM in currency units. */
export const HEADER_CPM_MAX = 100_000;
/** Longest name of a bidder, and longest id of a bid, in characters. */
export const BIDDER_CHARS_MAX = 100;
export const AD_ID_CHARS_MAX = 200;
const SIDE_MAX = 10_000;

/** A header bid as sent. */
export interface SentHeaderBid extends HeaderBid {
  /** Upper case; '' = the network's. */
  readonly currency: string;
}

/** What is wrong with a header bid: the member, and what it must be. */
export interface HeaderBidFault {
  readonly member: string;
  readonly wants: string;
}

/** Reads one header bid as Prebid.js has it: bidder, cpm, currency, size ("300x250") or width and height, adId. */
export function readHeaderBid(value: unknown): SentHeaderBid | HeaderBidFault {
  const bid = asObject(value);
  if (bid === null) return { member: '', wants: 'must be an object' };
  const bidder = bid['bidder'];
  if (typeof bidder !== 'string' || bidder === '' || bidder.length > BIDDER_CHARS_MAX)
    return { member: '.bidder', wants: `must be a text of 1 to ${BIDDER_CHARS_MAX} characters` };
  const adId = bid['adId'];
  if (typeof adId !== 'string' || adId === '' || adId.length > AD_ID_CHARS_MAX)
    return { member: '.adId', wants: `must be a text of 1 to ${AD_ID_CHARS_MAX} characters` };
  const cpm = typeof bid['cpm'] === 'number' ? numberOf(bid['cpm']) : null;
  if (cpm === null || cpm > HEADER_CPM_MAX)
    return { member: '.cpm', wants: `must be a number from 0 to ${HEADER_CPM_MAX}` };
  const currency = bid['currency'] ?? '';
  if (typeof currency !== 'string' || !/^([A-Za-z]{3})?$/.test(currency))
    return { member: '.currency', wants: 'must be an ISO 4217 code' };
  const size = readSize(bid);
  if (size === null) return { member: '.size', wants: 'must be a size such as "300x250"' };
  // Rounded down: a header bid never competes with more than it pays.
  const cpmMicros = Math.floor(Number((cpm * 1_000_000).toFixed(3)));
  return { bidder, adId, cpmMicros, currency: currency.toUpperCase(), ...size };
}

/** 0 × 0 = not said. */
function readSize(bid: JsonObject): { width: number; height: number } | null {
  const text = textOf(bid['size']).toLowerCase();
  const sides: readonly unknown[] = text === '' ? [bid['width'], bid['height']] : text.split('x');
  if (text === '' && sides.every((side) => side === undefined || side === null)) return { width: 0, height: 0 };
  const [width = null, height = null] = sides.map((side) => integerOf(side, 0, SIDE_MAX));
  return sides.length !== 2 || width === null || height === null ? null : { width, height };
}

/** Whether a header bid cannot be read. */
export function isFault(read: SentHeaderBid | HeaderBidFault): read is HeaderBidFault {
  return 'member' in read;
}

/**
 * The highest of some header bids by what they are worth in the network's currency, the first of equals; null = none. Bids in a currency
 * without a rate are left out, and bids of 0.
 */
export function dearestHeaderBid(
  bids: readonly SentHeaderBid[],
  network: PricedNetwork,
  nowMs: number,
): HeaderBid | null {
  let dearest: SentHeaderBid | null = null;
  let dearestMicros = 0;
  for (const bid of bids) {
    const micros = networkMicrosOf(bid, network, nowMs);
    if (micros <= dearestMicros) continue;
    dearest = bid;
    dearestMicros = micros;
  }
  if (dearest === null) return null;
  const { bidder, adId, width, height } = dearest;
  return { bidder, adId, cpmMicros: dearestMicros, width, height };
}

function networkMicrosOf({ cpmMicros, currency }: SentHeaderBid, network: PricedNetwork, nowMs: number): number {
  if (currency === '' || currency === network.currency) return cpmMicros;
  const rate = rateAt(network, currency, nowMs);
  return rate === null ? 0 : toNetworkMicrosDown(cpmMicros, rate);
}
