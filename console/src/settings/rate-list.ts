import type { ExchangeRate } from '../api/account/settings.ts';
import { isCalendarDate } from '../reports/calendar.ts';

const RATE = /^(?=.*[1-9])\d{1,9}(?:\.\d{1,12})?$/;

/** When a rate holds: on the day that is looked at, after it, or only before it. */
export type RateTime = 'now' | 'later' | 'earlier';

/** When a rate of a list holds, seen from a day, `YYYY-MM-DD`. */
export function timeOfRate(rates: readonly ExchangeRate[], { currency, from }: ExchangeRate, today: string): RateTime {
  if (from > today) return 'later';
  const isReplaced = rates.some((other) => other.currency === currency && other.from > from && other.from <= today);
  return isReplaced ? 'earlier' : 'now';
}

/** The rate of a list with the currency and day of another one. */
export function sameDayRate(
  rates: readonly ExchangeRate[],
  { currency, from }: Pick<ExchangeRate, 'currency' | 'from'>,
): ExchangeRate | undefined {
  return rates.find((rate) => rate.currency === currency && rate.from === from);
}

/** The list without `old` and with `next`, which replaces the rate of its currency and day. Null: none. */
export function changeRates(
  rates: readonly ExchangeRate[],
  { old, next }: { readonly old: ExchangeRate | null; readonly next: ExchangeRate | null },
): ExchangeRate[] {
  const gone = [old, next].flatMap((rate) => (rate === null ? [] : [sameDayRate(rates, rate)]));
  return [...rates.filter((rate) => !gone.includes(rate)), ...(next === null ? [] : [next])];
}

/** The members of a rate that the server would refuse. `rate` is exact: `0.92`. */
export function faultsOfRate({ rate, from }: ExchangeRate): readonly ('rate' | 'from')[] {
  return [...(RATE.test(rate) ? [] : ['rate' as const]), ...(isCalendarDate(from) ? [] : ['from' as const])];
}
