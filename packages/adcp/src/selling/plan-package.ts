import { z } from 'zod';
import { AdcpError } from '../protocol/adcp-error.ts';
import { Amount, Context, FormatId, Id, Instant, LIST_MAX } from '../protocol/parts.ts';
import { isOwnFormat } from './formats.ts';
import { decimalOf, numberOf } from './money.ts';
import type { PriceOption, Product } from './products.ts';
import { formatIdsOf } from './render-product.ts';
import { type OverlayParts, TargetingOverlay, translateOverlay } from './targeting-overlay.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** How far ahead the earliest start is, beside the lead time of the product: a booking takes a moment. */
export const BOOKING_MS = 30_000;
/** Largest goal of a line item. */
const GOAL_MAX = 2_147_483_647;
/** The pacings of bookings, by their names in the protocol. */
export const PACINGS = { even: 'EVEN', asap: 'ASAP', front_loaded: 'FRONT_LOADED' } as const;

export const Assignment = z.looseObject({ creative_id: Id, weight: z.number().min(0).max(100).optional() });
type Assignment = z.infer<typeof Assignment>;

/** A package of a media buy, as buyers ask for it. */
export const PackageRequest = z.looseObject({
  product_id: Id,
  pricing_option_id: Id,
  budget: Amount,
  bid_price: Amount.optional(),
  impressions: z.number().min(1).max(GOAL_MAX).optional(),
  pacing: z.enum(['even', 'asap', 'front_loaded']).optional(),
  start_time: Instant.optional(),
  end_time: Instant.optional(),
  paused: z.boolean().optional(),
  format_ids: z.array(FormatId).min(1).max(LIST_MAX).optional(),
  targeting_overlay: TargetingOverlay.optional(),
  creative_assignments: z.array(Assignment).min(1).max(LIST_MAX).optional(),
  context: Context.optional(),
});
export type PackageRequest = z.infer<typeof PackageRequest>;

/** Parts of packages that this seller does not honor, and so refuses. */
const UNSUPPORTED = [
  'creatives',
  'catalogs',
  'optimization_goals',
  'performance_standards',
  'committed_metrics',
  'format_option_refs',
  'format_kind',
];

/** A flight, in epoch milliseconds; the end is exclusive. */
export interface Flight {
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  /** Whether the buyer wants the earliest start. */
  readonly isAsap?: boolean;
}

/** A package that can be booked. */
export interface PlannedPackage {
  readonly product: Product;
  readonly option: PriceOption;
  readonly price: string;
  /** As `bookProduct` takes it. */
  readonly booking: Readonly<Record<string, unknown>>;
}

interface PlanContext {
  readonly products: readonly Product[];
  readonly agentUrl: string;
  readonly flight: Flight;
  readonly nowMs: number;
  /** Such as `packages[0]`. */
  readonly field: string;
}

/**
 * Checks a package against the terms of its product, and turns it into a booking of it.
 *
 * @throws AdcpError that names the field
 */
export function planPackage(request: PackageRequest, context: PlanContext): PlannedPackage {
  const { field } = context;
  refuseUnsupported(request, field);
  const product = context.products.find(({ id }) => id === request.product_id);
  if (product === undefined)
    throw new AdcpError('PRODUCT_NOT_FOUND', 'This seller offers no such product to the account.', {
      field: `${field}.product_id`,
      suggestion: 'Call get_products for the products of the account.',
    });
  const option = product.priceOptions.find(({ id }) => id === request.pricing_option_id);
  if (option === undefined)
    throw new AdcpError('INVALID_REQUEST', 'The product has no such pricing option.', {
      field: `${field}.pricing_option_id`,
      details: { accepted_values: product.priceOptions.map(({ id }) => id) },
    });
  refusePlacements(request.creative_assignments, field);
  checkFormats(request, product, context);
  const flight = flightOf(request, product, context);
  checkFlight(product, flight, context);
  const price = priceOf(request, option, field);
  checkBudget(request, { product, option, price, flight }, field);
  return { product, option, price, booking: bookingOf(request, { product, option, price, flight }, field) };
}

function refuseUnsupported(request: PackageRequest, field: string): void {
  const found = UNSUPPORTED.find((name) => request[name] !== undefined);
  if (found !== undefined)
    throw new AdcpError('UNSUPPORTED_FEATURE', `This seller does not support ${found} of packages.`, {
      field: `${field}.${found}`,
      suggestion: 'Remove it. Send creatives with sync_creatives, and assign them by creative_id.',
    });
  if (request['measurement_terms'] !== undefined)
    throw new AdcpError('TERMS_REJECTED', 'The counts of this ad server are billed; other terms are not accepted.', {
      field: `${field}.measurement_terms`,
      suggestion: 'Leave measurement_terms out to accept those of the product.',
    });
}

/** Why no creative is restricted to placements: products have none, so that the restriction would not hold. */
export const NO_PLACEMENTS =
  'This seller shows a creative on all inventory of its package; leave the placements of the assignment out.';

/** @throws AdcpError `UNSUPPORTED_FEATURE` for a creative that is restricted to placements */
export function refusePlacements(assignments: readonly Assignment[] = [], field: string): void {
  for (const [index, one] of assignments.entries()) {
    const found = ['placement_refs', 'placement_ids'].find((name) => one[name] !== undefined);
    if (found !== undefined)
      throw new AdcpError('UNSUPPORTED_FEATURE', NO_PLACEMENTS, {
        field: `${field}.creative_assignments[${index}].${found}`,
      });
  }
}

function checkFormats(request: PackageRequest, product: Product, { agentUrl, field }: PlanContext): void {
  const own = formatIdsOf(product, agentUrl).map(({ id }) => id);
  const foreign = (request.format_ids ?? []).findIndex((one) => !isOwnFormat(one, agentUrl) || !own.includes(one.id));
  if (foreign !== -1)
    throw new AdcpError('UNSUPPORTED_FEATURE', 'The product does not accept this format.', {
      field: `${field}.format_ids[${foreign}]`,
      details: { accepted_values: own.slice(0, LIST_MAX) },
    });
}

function flightOf(request: PackageRequest, product: Product, { flight, field, nowMs }: PlanContext): Flight {
  const earliest = flight.isAsap === true ? nowMs + product.leadTimeHours * HOUR_MS + BOOKING_MS : 0;
  const startsAtMs =
    request.start_time === undefined ? Math.max(flight.startsAtMs, earliest) : Date.parse(request.start_time);
  const endsAtMs = request.end_time === undefined ? flight.endsAtMs : Date.parse(request.end_time);
  const wrong = (name: string, message: string) =>
    new AdcpError('INVALID_REQUEST', message, { field: `${field}.${name}` });
  if (startsAtMs < flight.startsAtMs) throw wrong('start_time', 'A package starts within the flight of the buy.');
  if (endsAtMs > flight.endsAtMs) throw wrong('end_time', 'A package ends within the flight of the buy.');
  if (endsAtMs <= startsAtMs) throw wrong('end_time', 'A package ends after its start.');
  return { startsAtMs, endsAtMs };
}

function checkFlight(product: Product, { startsAtMs, endsAtMs }: Flight, { nowMs, field }: PlanContext): void {
  const { leadTimeHours: lead, minimumDays, maximumDays } = product;
  const days = (endsAtMs - startsAtMs) / DAY_MS;
  const wrong = (name: string, message: string) =>
    new AdcpError('INVALID_REQUEST', message, { field: `${field}.${name}` });
  if (lead > 0 && startsAtMs < nowMs + lead * HOUR_MS)
    throw wrong('start_time', `The product starts at the earliest ${lead} hours after the order.`);
  if (minimumDays !== null && days < minimumDays)
    throw wrong('end_time', `The product is booked for at least ${minimumDays} days.`);
  if (maximumDays !== null && days > maximumDays)
    throw wrong('end_time', `The product is booked for at most ${maximumDays} days.`);
}

/** The price that is booked: the fixed one, or the bid. Without a bid, the floor is bid. */
export function priceOf(
  { bid_price: bid }: Pick<PackageRequest, 'bid_price'>,
  { price, floor }: PriceOption,
  field: string,
): string {
  const at = { field: `${field}.bid_price` };
  if (price !== null) {
    if (bid !== undefined && bid !== numberOf(price))
      throw new AdcpError(
        'INVALID_REQUEST',
        `This pricing option has the fixed price ${price}; leave bid_price out.`,
        at,
      );
    return price;
  }
  if (bid === undefined) return floor ?? '0';
  if (bid < numberOf(floor ?? '0'))
    throw new AdcpError('INVALID_REQUEST', `The bid is below the floor of ${floor}.`, at);
  return decimalOf(bid, at.field);
}

interface Terms {
  readonly product: Product;
  readonly option: PriceOption;
  readonly price: string;
  readonly flight: Flight;
}

/** @throws AdcpError `BUDGET_TOO_LOW` with the least budget */
export function checkBudget(
  { budget }: Pick<PackageRequest, 'budget'>,
  { product, option, price, flight }: Terms,
  field: string,
): void {
  const days = Math.ceil((flight.endsAtMs - flight.startsAtMs) / DAY_MS);
  const least = Math.max(
    numberOf(option.minimumSpend ?? product.minimumSpend ?? '0'),
    option.pricingModel === 'FLAT' ? days * numberOf(price) : 0,
  );
  if (budget >= least && budget > 0 && goalOf(budget, option, price) !== 0) return;
  throw new AdcpError('BUDGET_TOO_LOW', `The budget of a package of this product is at least ${least}.`, {
    field: `${field}.budget`,
    details: { minimum_budget: least },
  });
}

/** How much a budget buys: thousands by CPM and vCPM, events else; null where no goal counts what is paid for. */
function goalOf(budget: number, { pricingModel }: PriceOption, price: string): number | null {
  const each = numberOf(price);
  if (each === 0) return null;
  switch (pricingModel) {
    case 'CPM':
    case 'VCPM':
      return Math.min(Math.floor((budget * 1_000) / each), GOAL_MAX);
    case 'CPC':
      return Math.min(Math.floor(budget / each), GOAL_MAX);
    case 'CPCV':
    case 'FLAT':
    case 'CPA':
      return null;
  }
}

/** What is booked: the budget, or fewer impressions than it buys. */
export function amountTerms(
  { budget, impressions }: Pick<PackageRequest, 'budget' | 'impressions'>,
  option: PriceOption,
  price: string,
  field: string,
): { readonly budget: string } | { readonly quantity: number } {
  const bought = goalOf(budget, option, price);
  if (option.pricingModel === 'CPM' && impressions !== undefined && bought !== null && impressions < bought)
    return { quantity: Math.floor(impressions) };
  return { budget: decimalOf(budget, `${field}.budget`) };
}

/** The dimensions that an overlay tests. */
const OVERLAY_DIMENSIONS: Readonly<Record<string, string>> = {
  geo_countries: 'COUNTRY',
  geo_countries_exclude: 'COUNTRY',
  geo_regions: 'REGION',
  geo_regions_exclude: 'REGION',
  daypart_targets: 'DAY_PART',
  device_platform: 'OS',
  device_type: 'DEVICE_TYPE',
  device_type_exclude: 'DEVICE_TYPE',
  language: 'BROWSER_LANGUAGE',
};

/** The parts of a booking that an overlay sets. @throws AdcpError `UNSUPPORTED_FEATURE` */
export function overlayTerms(overlay: TargetingOverlay | undefined, product: Product, field: string): OverlayParts {
  const foreign = Object.keys(overlay ?? {}).find((name) => {
    const dimension = OVERLAY_DIMENSIONS[name];
    return dimension !== undefined && !product.buyerDimensions.includes(dimension);
  });
  if (foreign !== undefined)
    throw new AdcpError('UNSUPPORTED_FEATURE', `Buyers cannot add ${foreign} to this product.`, {
      field: `${field}.${foreign}`,
    });
  return translateOverlay(overlay, field);
}

function bookingOf(request: PackageRequest, { product, option, price, flight }: Terms, field: string) {
  const { targeting, frequencyCaps } = overlayTerms(request.targeting_overlay, product, `${field}.targeting_overlay`);
  return {
    productId: product.id,
    priceOptionId: option.id,
    ...(option.price === null ? { bid: price } : {}),
    ...amountTerms(request, option, price, field),
    pacing: PACINGS[request.pacing ?? 'even'],
    startsAt: new Date(flight.startsAtMs).toISOString(),
    endsAt: new Date(flight.endsAtMs).toISOString(),
    ...(targeting === null ? {} : { targeting }),
    ...(frequencyCaps.length === 0 ? {} : { frequencyCaps }),
  };
}
