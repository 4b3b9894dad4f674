import { isCalendarDay } from '../time/calendar.ts';
import type { ProblemCode } from '../problem-codes.ts';

/**
 * The worth of one unit of another currency in the network's currency, from the beginning of a day of the network on. A later entry of
 * the same currency replaces it from its own day on.
 */
export interface ExchangeRate {
  /** ISO 4217. */
  readonly currency: string;
  /** Decimal text above 0, as {@link parseRate} reads it. */
  readonly rate: string;
  /** `YYYY-MM-DD`. */
  readonly from: string;
}

/** The part of a network that conversions need. */
export interface RatedNetwork {
  /** ISO 4217. */
  readonly currency: string;
  /** Absent: no other currency is known. */
  readonly exchangeRates?: readonly ExchangeRate[];
}

/** A rate as an integer: units of 10⁻¹² of the network's currency for one unit of the other one. */
export type ScaledRate = bigint;

/** Most entries of one network. */
export const EXCHANGE_RATES_MAX = 400;
const RATE_DECIMALS = 12;
const RATE_WHOLE_DIGITS_MAX = 9;
const ONE: ScaledRate = 10n ** BigInt(RATE_DECIMALS);
const RATE = new RegExp(`^(\\d{1,${RATE_WHOLE_DIGITS_MAX}})(?:\\.(\\d{1,${RATE_DECIMALS}}))?$`);
const MICRO_DECIMALS = 6;
/** Smaller amounts are worth less than a micro at every rate, and larger ones are above every price. */
const AMOUNT = { min: 1e-15, max: 1e15 };

/** Reads a rate of up to 9 digits before and 12 behind the point; null for 0 and for all that is no such decimal. */
export function parseRate(text: string): ScaledRate | null {
  const match = RATE.exec(text);
  if (match === null) return null;
  const rate = BigInt(match[1] ?? '0') * ONE + BigInt((match[2] ?? '').padEnd(RATE_DECIMALS, '0'));
  return rate === 0n ? null : rate;
}

/** Whether the text is an ISO 4217 code in capitals. */
export function isCurrencyCode(text: string): boolean {
  currencyCodes ??= new Set(Intl.supportedValuesOf('currency'));
  return currencyCodes.has(text);
}
let currencyCodes: ReadonlySet<string> | null = null;

/** The fault of one member of an entry, as a code of `problem-codes.ts` and a sentence. */
export interface RateFault {
  readonly member: keyof ExchangeRate;
  readonly code: ProblemCode;
  readonly message: string;
}

/** The first thing that is wrong with an entry of a network; null = nothing. @param currency the network's own */
export function faultOfRate(entry: ExchangeRate, currency: string): RateFault | null {
  if (!isCurrencyCode(entry.currency))
    return { member: 'currency', code: 'unknown', message: 'Give an ISO 4217 code in capitals, such as "USD".' };
  if (entry.currency === currency)
    return {
      member: 'currency',
      code: 'not_allowed',
      message: `Give another currency than ${currency}, the network's.`,
    };
  if (parseRate(entry.rate) === null)
    return {
      member: 'rate',
      code: 'malformed',
      message: `Give a decimal above 0, such as "0.92", of at most ${RATE_WHOLE_DIGITS_MAX} digits before the point and ${RATE_DECIMALS} behind.`,
    };
  if (!isCalendarDay(entry.from))
    return { member: 'from', code: 'malformed', message: 'Give a day as YYYY-MM-DD, such as "2026-12-01".' };
  return null;
}

/** The rates in the settings of a network; absent = none. */
export function readExchangeRates(settings: Readonly<Record<string, unknown>>): {
  readonly exchangeRates?: readonly ExchangeRate[];
} {
  const { exchangeRates } = settings;
  return Array.isArray(exchangeRates) && exchangeRates.length > 0
    ? { exchangeRates: exchangeRates as ExchangeRate[] }
    : {};
}

/** Entries by currency, and of one currency by day, each with its members in one order: as they are stored and listed. */
export function sortRates(rates: readonly ExchangeRate[]): ExchangeRate[] {
  const keyOf = ({ currency, from }: ExchangeRate): string => `${currency} ${from}`;
  return rates
    .map(({ currency, rate, from }) => ({ currency, rate, from }))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/**
 * The rate of a currency on a day of the network; '' and the network's own currency have the rate 1.
 * @param day `YYYY-MM-DD`
 * @returns null when no entry of the currency has begun by then
 */
export function rateOn(network: RatedNetwork, currency: string, day: string): ScaledRate | null {
  if (currency === '' || currency === network.currency) return ONE;
  let latest: ExchangeRate | null = null;
  for (const rate of network.exchangeRates ?? []) {
    if (rate.currency === currency && rate.from <= day && rate.from >= (latest?.from ?? '')) latest = rate;
  }
  return latest === null ? null : parseRate(latest.rate);
}

/**
 * An amount of another currency, as JSON has it, in micros of the network's currency, rounded up: a price of so many micros is never below
 * the amount. Infinity above 10¹⁵ units or 2⁵³ micros. @param amount 0 or more
 */
export function toNetworkMicros(amount: number, rate: ScaledRate): number {
  if (amount === 0) return 0;
  if (amount > AMOUNT.max) return Number.POSITIVE_INFINITY;
  if (amount < AMOUNT.min) return 1;
  const { digits, decimals } = exactDecimal(amount);
  const micros = divideUp(digits * rate * 10n ** BigInt(MICRO_DECIMALS), ONE * 10n ** BigInt(decimals));
  return micros > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(micros);
}

/** Whole micros of another currency in micros of the network's currency, rounded down, and at most 2⁵³. */
export function toNetworkMicrosDown(micros: number, rate: ScaledRate): number {
  return Math.min(Number((BigInt(micros) * rate) / ONE), Number.MAX_SAFE_INTEGER);
}

/**
 * Micros of the network's currency in micros of another one, rounded up: a price that reaches a floor still does after its conversion. At
 * most one micro above the exact value.
 */
export function fromNetworkMicros(micros: number, rate: ScaledRate): bigint {
  return divideUp(BigInt(micros) * ONE, rate);
}

/** The decimal that JSON wrote: the shortest one that reads as this number. */
function exactDecimal(amount: number): { readonly digits: bigint; readonly decimals: number } {
  const [mantissa = '0', exponent = '0'] = String(amount).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return decimals >= 0 ? { digits, decimals } : { digits: digits * 10n ** BigInt(-decimals), decimals: 0 };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
