import { isDeepStrictEqual } from 'node:util';
import type { PriceOption } from '../../../domain/booking/product.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import type { StoredRow } from '../../kernel/field.ts';

const DAY_MS = 86_400_000;

/**
 * Warns of a line item that is sold as a product and differs from its terms. Only what a change touches is looked at: line items from before the
 * product had terms stay as they are.
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
  if (touches('type') && options.length > 0 && !isTierOf(row, product))
    warn('type', `A product that is ${String(product['delivery'])} is not sold in this tier.`);
  if (touches('targeting') && !isWithin(row['targeting'] as Targeting | null, product['targeting'] as Targeting | null))
    warn(
      'targeting',
      'It reaches beyond the inventory of the product: the targeting of the product is not a part of it.',
    );
  if (touches('starts_at', 'ends_at')) {
    const message = lengthProblem(row, product);
    if (message !== null) warn('endsAt', message);
  }
  return found;
}

function isPricedBy(row: StoredRow, { pricingModel, priceMicros, floorMicros }: PriceOption): boolean {
  if (row['pricing_model'] !== pricingModel) return false;
  const price = row['price_micros'] as bigint;
  return priceMicros === null ? price >= BigInt(floorMicros ?? 0) : price === BigInt(priceMicros);
}

function isTierOf({ type }: StoredRow, { delivery }: StoredRow): boolean {
  return delivery === 'GUARANTEED' ? type === 'STANDARD' || type === 'SPONSORSHIP' : type === 'PRICE';
}

/** Whether all that a product is sold with is asked of each request. */
function isWithin(targeting: Targeting | null, sold: Targeting | null): boolean {
  if (sold === null || isDeepStrictEqual(targeting, sold)) return true;
  if (targeting === null || !('all' in targeting)) return false;
  const parts = 'all' in sold ? sold.all : [sold];
  return parts.every((part) => targeting.all.some((one) => isDeepStrictEqual(one, part)));
}

function lengthProblem(row: StoredRow, product: StoredRow): string | null {
  const [startsAt, endsAt] = [row['starts_at'], row['ends_at']];
  if (!(startsAt instanceof Date) || !(endsAt instanceof Date)) return null;
  const days = (endsAt.getTime() - startsAt.getTime()) / DAY_MS;
  const { minimum_days: shortest, maximum_days: longest } = product as StoredRow & Record<string, number | null>;
  if (shortest !== null && shortest !== undefined && days < shortest)
    return `The product is sold for at least ${shortest} days.`;
  if (longest !== null && longest !== undefined && days > longest)
    return `The product is sold for at most ${longest} days.`;
  return null;
}
