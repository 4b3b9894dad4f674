import { isDeepStrictEqual } from 'node:util';
import { tierOf } from '../../../domain/booking/product-booking.ts';
import type { PriceOption } from '../../../domain/booking/product.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import type { StoredRow } from '../../kernel/field.ts';

const DAY_MS = 86_400_000;

/**
 * Warns of a line item that is sold as a product and differs from its terms. Only fields that a change touches are compared, so that a line item
 * which differs already gets no warning for another change.
 */
export function warnOfProduct(row: StoredRow, before: StoredRow | null, product: StoredRow | null): FieldProblem[] {
  if (product === null) return [];
  const isNewProduct = before === null || before['advertising_product_id'] !== row['advertising_product_id'];
  const touches = (...columns: readonly string[]): boolean =>
    isNewProduct || columns.some((column) => !isDeepStrictEqual(row[column], before[column]));
  const found: FieldProblem[] = [];
  const warn = (path: string, message: string): void => void found.push({ path, code: 'other_terms', message });
  const options = product['price_options'] as readonly PriceOption[];
  if (touches('price_micros', 'pricing_model') && options.length > 0 && !options.some((one) => isPricedBy(row, one)))
    warn('price', 'The product has no price option with this price and pricing model.');
  if (
    touches('type') &&
    options.length > 0 &&
    !options.some((one) => tierOf(product['delivery'], one.pricingModel) === row['type'])
  )
    warn('type', `A product that is ${String(product['delivery'])} is not sold in this tier.`);
  if (touches('targeting') && !isWithin(row['targeting'] as Targeting | null, product['targeting'] as Targeting | null))
    warn(
      'targeting',
      'It reaches beyond the inventory of the product: the targeting of the product is not a part of it.',
    );
  const [startsAt, endsAt] = [row['starts_at'], row['ends_at']];
  if (startsAt instanceof Date && endsAt instanceof Date && touches('starts_at', 'ends_at')) {
    const message = lengthProblem({ startsAt, endsAt }, product);
    if (message !== null) warn('endsAt', message);
  }
  return found;
}

function isPricedBy(row: StoredRow, { pricingModel, priceMicros, floorMicros }: PriceOption): boolean {
  if (row['pricing_model'] !== pricingModel) return false;
  const price = row['price_micros'] as bigint;
  return priceMicros === null ? price >= BigInt(floorMicros ?? 0) : price === BigInt(priceMicros);
}

/** Whether all that a product is sold with is asked of each request. */
function isWithin(targeting: Targeting | null, sold: Targeting | null): boolean {
  if (sold === null || isDeepStrictEqual(targeting, sold)) return true;
  if (targeting === null || !('all' in targeting)) return false;
  const parts = 'all' in sold ? sold.all : [sold];
  return parts.every((part) => targeting.all.some((one) => isDeepStrictEqual(one, part)));
}

/** Why a flight is too short or too long for a product; null: neither. */
export function lengthProblem(
  { startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date },
  product: StoredRow,
): string | null {
  const days = (endsAt.getTime() - startsAt.getTime()) / DAY_MS;
  const [shortest, longest] = [product['minimum_days'], product['maximum_days']] as (number | null)[];
  if (days < (shortest ?? 0)) return `The product is sold for at least ${shortest} days.`;
  return days > (longest ?? Infinity) ? `The product is sold for at most ${longest} days.` : null;
}
