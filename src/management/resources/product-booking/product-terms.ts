import { costOf, goalKindOf, tierOf, unitsFor } from '../../../domain/booking/product-booking.ts';
import type { PriceOption } from '../../../domain/booking/product.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { PRICING } from '../../../domain/pricing/pricing-models.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import type { TargetingDimension } from '../../../domain/targeting/targeting-dimensions.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import { constantCase } from '../../fields/targeting-field.ts';
import { report, type StoredRow } from '../../kernel/field.ts';
import { MONEY_MICROS_MAX } from '../../kernel/scalar-fields.ts';
import { lengthProblem } from '../line-item/product.rules.ts';
import { placedTests } from '../line-item/targeting.rules.ts';

const DAY_MS = 86_400_000;

/** What a booking asks for, read from its input. Amounts are micros. */
export interface AskedTerms {
  readonly bidMicros: bigint | null;
  readonly budgetMicros: bigint | null;
  readonly quantity: bigint | null;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly added: Targeting | null;
}

/** Who books, and when. */
export interface BookingFacts {
  readonly advertiserId: string;
  /** IANA name: that of the network, which counts days. */
  readonly timezone: string;
  readonly nowMs: number;
  /** The start that a booking has already, which its lead time does not concern any more; null: it is new. */
  readonly startedAt: Date | null;
  /** Set where the key of a buyer books: the advertisers that the product is offered to bind it. */
  readonly isBuyer: boolean;
}

/** The price and the amount of a booking. */
export interface Priced {
  readonly priceMicros: bigint;
  readonly budgetMicros: bigint;
  /** Events, or days. */
  readonly units: bigint;
}

/** Checks who may book a product by an option. Problems are those of the input's fields. */
export function checkOffer(
  product: StoredRow,
  option: PriceOption | undefined,
  facts: BookingFacts,
  problems: FieldProblem[],
): void {
  const offered = product['offered_advertiser_ids'] as readonly string[];
  if (product['status'] !== 'ACTIVE')
    report(problems, 'input.productId', 'archived', 'The product is archived; choose another one.');
  if (facts.isBuyer && offered.length > 0 && !offered.includes(facts.advertiserId))
    report(problems, 'input.productId', 'other_advertiser', "The product is not offered to the campaign's advertiser.");
  if (option === undefined)
    report(problems, 'input.priceOptionId', 'unknown', 'The product has no price option with this id.');
  else if (option.advertiserIds.length > 0 && !option.advertiserIds.includes(facts.advertiserId))
    report(problems, 'input.priceOptionId', 'other_advertiser', 'The price option is for other advertisers.');
}

/** Checks the dates and the added targeting of a booking against the terms of the product. */
export function checkTerms(product: StoredRow, asked: AskedTerms, facts: BookingFacts, problems: FieldProblem[]): void {
  checkFlight(product, asked, facts, problems);
  const allowed = new Set(product['buyer_dimensions'] as readonly TargetingDimension[]);
  for (const { test, path } of placedTests(asked.added)) {
    if (allowed.has(test.dimension)) continue;
    const at = path.replace(/^targeting/, 'input.targeting');
    const message = `The product admits no added targeting by ${constantCase(test.dimension)}.`;
    report(problems, `${at}.dimension`, 'not_allowed', message);
  }
}

function checkFlight(
  product: StoredRow,
  { startsAt, endsAt }: AskedTerms,
  { nowMs, startedAt }: BookingFacts,
  problems: FieldProblem[],
): void {
  if (endsAt <= startsAt) return report(problems, 'input.endsAt', 'before_start', 'The end must come after the start.');
  const hours = product['lead_time_hours'] as number;
  const isNewStart = startedAt === null || startedAt.getTime() !== startsAt.getTime();
  const earliest = new Date(nowMs + hours * 3_600_000);
  if (isNewStart && startsAt < earliest) {
    const reason = hours === 0 ? 'A booking starts in the future' : `The product is booked ${hours} hours ahead`;
    report(problems, 'input.startsAt', 'out_of_range', `${reason}: start at ${earliest.toISOString()} or later.`);
  }
  if (endsAt.getTime() <= nowMs)
    report(problems, 'input.endsAt', 'in_the_past', 'The flight is over by now; give a later end.');
  const message = lengthProblem({ startsAt, endsAt }, product);
  if (message !== null) report(problems, 'input.endsAt', 'out_of_range', message);
}

/** Works out price and amount: a budget becomes units by the price, and a quantity a budget. null: problems say why not. */
export function priceBooking(
  { product, option }: { readonly product: StoredRow; readonly option: PriceOption },
  asked: AskedTerms,
  facts: BookingFacts,
  problems: FieldProblem[],
): Priced | null {
  const priceMicros = priceOf(option, asked.bidMicros, problems);
  if (priceMicros === null) return null;
  const priced =
    PRICING[option.pricingModel].unit === 'day'
      ? priceDays(option, asked, { priceMicros, timezone: facts.timezone }, problems)
      : priceEvents(option, asked, priceMicros, problems);
  if (priced === null) return null;
  if (priced.budgetMicros > MONEY_MICROS_MAX) {
    const field = asked.quantity !== null ? 'quantity' : asked.budgetMicros !== null ? 'budget' : 'endsAt';
    const message = `A booking is for at most ${formatMicros(MONEY_MICROS_MAX)}; this one is for ${formatMicros(priced.budgetMicros)}.`;
    report(problems, `input.${field}`, 'out_of_range', message);
    return null;
  }
  const least = option.minimumSpendMicros ?? (product['minimum_spend_micros'] as bigint | null);
  if (least !== null && priced.budgetMicros < BigInt(least)) {
    const field = asked.budgetMicros === null ? 'quantity' : 'budget';
    const message = `A booking is for at least ${formatMicros(BigInt(least))}; this one is for ${formatMicros(priced.budgetMicros)}.`;
    report(problems, `input.${field}`, 'out_of_range', message);
  }
  return priced;
}

function priceOf(option: PriceOption, bid: bigint | null, problems: FieldProblem[]): bigint | null {
  const { priceMicros, floorMicros } = option;
  if (priceMicros !== null) {
    if (bid !== null && bid !== BigInt(priceMicros))
      report(problems, 'input.bid', 'not_allowed', 'The price of the option is fixed; leave the bid out.');
    return BigInt(priceMicros);
  }
  if (bid === null) {
    report(problems, 'input.bid', 'required', 'The option has a floor and no price: give a bid.');
    return null;
  }
  const floor = BigInt(floorMicros ?? 0);
  if (bid >= floor && bid > 0n) return bid;
  report(problems, 'input.bid', 'below_floor', `Give a bid of at least ${formatMicros(floor)}, and above 0.`);
  return null;
}

function priceEvents(
  { pricingModel }: PriceOption,
  { budgetMicros, quantity }: AskedTerms,
  priceMicros: bigint,
  problems: FieldProblem[],
): Priced | null {
  if ((budgetMicros === null) === (quantity === null)) {
    report(problems, 'input.budget', 'one_of', 'Give a budget or a quantity, and not both.');
    return null;
  }
  const units = quantity ?? unitsFor(pricingModel, budgetMicros ?? 0n, priceMicros);
  if (units < 1n || units > BigInt(Number.MAX_SAFE_INTEGER)) {
    const field = quantity === null ? 'budget' : 'quantity';
    report(problems, `input.${field}`, 'out_of_range', 'It must buy at least one unit at the price, and at most 2^53.');
    return null;
  }
  return { priceMicros, units, budgetMicros: budgetMicros ?? costOf(pricingModel, units, priceMicros) };
}

/** Days are those of the network's calendar that the flight touches, as billing counts them. */
function priceDays(
  { pricingModel }: PriceOption,
  { budgetMicros, quantity, startsAt, endsAt }: AskedTerms,
  { priceMicros, timezone }: { readonly priceMicros: bigint; readonly timezone: string },
  problems: FieldProblem[],
): Priced | null {
  if (endsAt <= startsAt) return null;
  const first = Date.parse(localDay(startsAt.getTime(), timezone));
  const last = Date.parse(localDay(endsAt.getTime() - 1, timezone));
  const units = BigInt(Math.round((last - first) / DAY_MS) + 1);
  const cost = costOf(pricingModel, units, priceMicros);
  if (quantity !== null) report(problems, 'input.quantity', 'not_allowed', 'Days are paid for; give the flight alone.');
  if (budgetMicros !== null && budgetMicros !== cost)
    report(
      problems,
      'input.budget',
      'out_of_range',
      `The flight has ${units} days and costs ${formatMicros(cost)}; give that, or leave the budget out.`,
    );
  return { priceMicros, units, budgetMicros: cost };
}

/** The tier, goal and limits of a line item that is booked so, as its input has them. */
export function bookedInput(
  product: StoredRow,
  option: PriceOption,
  priced: Priced,
): Readonly<Record<string, unknown>> {
  const { pricingModel, sharePercent } = option;
  const type = tierOf(product['delivery'], pricingModel);
  const common = { type, pricingModel, price: formatMicros(priced.priceMicros) };
  if (type === 'SPONSORSHIP') return { ...common, sharePercent, goal: null, caps: {} };
  const caps = { spendLifetime: formatMicros(priced.budgetMicros) };
  if (type === 'PRICE') return { ...common, sharePercent: null, goal: null, caps };
  const goal = { kind: goalKindOf(pricingModel), target: Number(priced.units), period: 'LIFETIME' };
  return { ...common, sharePercent: null, goal, caps };
}
