import { rateOn } from '../../domain/tenancy/exchange-rates.ts';
import type { RatedNetwork, ScaledRate } from '../../domain/tenancy/exchange-rates.ts';
import { localDay } from '../../domain/time/calendar.ts';

/** A network with the zone in which days of its rates begin. */
export interface PricedNetwork extends RatedNetwork {
  /** IANA name. */
  readonly timezone: string;
}

/** The currency of a response. */
export interface BidCurrency {
  /** ISO 4217. */
  readonly code: string;
  /** null: prices are in the network's currency, and stay as they are. */
  readonly rate: ScaledRate | null;
}

/** The present rate of a foreign currency; null when the network has none. */
export function rateAt(network: PricedNetwork, currency: string, nowMs: number): ScaledRate | null {
  if (network.exchangeRates === undefined) return null;
  return rateOn(network, currency, localDay(nowMs, network.timezone));
}

/**
 * The currency of the bids: the network's where the caller takes it, else the caller's first one with a rate.
 * @param accepted upper case; empty = any
 * @returns null: no bid, for the caller takes no currency with a rate
 */
export function chooseCurrency(accepted: readonly string[], network: PricedNetwork, nowMs: number): BidCurrency | null {
  if (accepted.length === 0 || accepted.includes(network.currency)) return { code: network.currency, rate: null };
  for (const code of accepted) {
    const rate = rateAt(network, code, nowMs);
    if (rate !== null) return { code, rate };
  }
  return null;
}
