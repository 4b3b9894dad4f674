import type { ProductPrice } from '../api/bookings/catalog.ts';
import type { Goal, LineItem, PricingModel } from '../api/bookings/desk-list.ts';
import { formatMeasure } from './format-value.ts';
import { dateFormat, numberFormat } from './intl-formats.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';

/** A count, by locale. */
export function formatCount(count: number): string {
  return formatMeasure({ format: null, currency: null }, String(count));
}

/** Money in the network's currency; exact, whatever its size. */
export function formatMoney(amount: string, currency: string | undefined): string {
  return formatMeasure({ format: 'currency', currency: currency ?? null }, amount);
}

/** A whole number of percent. */
export function formatPercent(percent: number): string {
  return `${numberFormat(currentLocale(), { maximumFractionDigits: percent < 10 ? 1 : 0 }).format(percent)}\u00a0%`;
}

/** A rate in percent with two decimals: `0.12 %`. */
export function formatRate(rate: number): string {
  return `${numberFormat(currentLocale(), { maximumFractionDigits: 2 }).format(100 * rate)}\u00a0%`;
}

/** A price with its unit: `PLN 18.50 CPM`. */
export function formatPrice(
  { price, pricingModel }: { readonly price: string; readonly pricingModel: PricingModel },
  currency: string | undefined,
): string {
  return `${formatMoney(price, currency)} ${say(`pricing.${pricingModel}`)}`;
}

/** A price option with its unit: `PLN 18.50 CPM`, or `from PLN 2.00 CPM` where the buyer bids. */
export function formatPriceOption(
  { price, floor, pricingModel }: Pick<ProductPrice, 'price' | 'floor' | 'pricingModel'>,
  currency: string | undefined,
): string {
  const amount = formatMoney(price ?? floor ?? '0', currency);
  const shown = price === null ? say('pricing.from', { amount }) : amount;
  return `${shown} ${say(`pricing.${pricingModel}`)}`;
}

/** A goal in words: `6,000 impressions a day`. */
export function formatGoal({ amount, kind, period }: Goal): string {
  const text = say(`goal.${kind}`, { amount: formatCount(amount), count: amount });
  return period === 'DAY' ? say('goal.per_day', { goal: text }) : text;
}

/** The day of an instant in a time zone: `24 Nov`, with the year when it is another one than now. */
export function formatDay(iso: string, timezone: string | undefined, nowMs: number): string {
  const zone = timezone === undefined ? {} : { timeZone: timezone };
  const year = dateFormat('en', { year: 'numeric', ...zone });
  const isThisYear = year.format(new Date(iso)) === year.format(nowMs);
  return dateFormat(currentLocale(), {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    ...zone,
  }).format(new Date(iso));
}

/** An instant with its year and time of day, for changes: `24 Nov 2026, 00:00`. */
export function formatFullDay(iso: string, timezone: string | undefined): string {
  const zone = timezone === undefined ? {} : { timeZone: timezone };
  return dateFormat(currentLocale(), { dateStyle: 'medium', timeStyle: 'short', ...zone }).format(new Date(iso));
}

/** The instants between which a line item can serve: the later start and the earlier end of it and its campaign. */
export function flightOf({ startsAt, endsAt, campaign }: Pick<LineItem, 'startsAt' | 'endsAt' | 'campaign'>): Flight {
  const starts = [startsAt, campaign?.startsAt ?? null].filter((one) => one !== null).sort(byInstant);
  const ends = [endsAt, campaign?.endsAt ?? null].filter((one) => one !== null).sort(byInstant);
  return { startsAt: starts.at(-1) ?? null, endsAt: ends[0] ?? null };
}

/** When something can serve. The end is exclusive. */
export interface Flight {
  readonly startsAt: string | null;
  readonly endsAt: string | null;
}

function byInstant(one: string, other: string): number {
  return Date.parse(one) - Date.parse(other);
}

/** Both days of a flight in words. An end at midnight is the day before. */
export function formatFlight({ startsAt, endsAt }: Flight, timezone: string | undefined, nowMs: number): string {
  const from = startsAt === null ? null : formatDay(startsAt, timezone, nowMs);
  const to = endsAt === null ? null : formatDay(lastInstant(endsAt), timezone, nowMs);
  if (from === null) return to === null ? say('flight.open') : say('flight.until', { to });
  return to === null ? say('flight.from', { from }) : say('flight.both', { from, to });
}

/** The last moment before an exclusive end. */
export function lastInstant(endsAt: string): string {
  return new Date(Date.parse(endsAt) - 1).toISOString();
}
