import { z } from 'zod';
import { AdcpError } from '../protocol/adcp-error.ts';
import { Amount, FormatId, LIST_MAX } from '../protocol/parts.ts';
import { isOwnFormat } from './formats.ts';
import { numberOf } from './money.ts';
import { type Product, requiredValues } from './products.ts';
import { channelsOf, formatIdsOf, METRICS } from './render-product.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const Day = z.iso.date();
const list = <T>(item: z.ZodType<T>) => z.array(item).min(1).max(LIST_MAX);

/** Filters of get_products. */
export const ProductFilters = z.looseObject({
  delivery_type: z.enum(['guaranteed', 'non_guaranteed']).optional(),
  exclusivity: z.enum(['none', 'category', 'exclusive']).optional(),
  is_fixed_price: z.boolean().optional(),
  pricing_currencies: list(z.string().regex(/^[A-Z]{3}$/)).optional(),
  format_ids: list(FormatId).optional(),
  standard_formats_only: z.boolean().optional(),
  start_date: Day.optional(),
  end_date: Day.optional(),
  budget_range: z
    .looseObject({ min: Amount.optional(), max: Amount.optional(), currency: z.string().regex(/^[A-Z]{3}$/) })
    .optional(),
  countries: list(z.string().regex(/^[A-Z]{2}$/)).optional(),
  channels: list(z.string().max(40)).optional(),
  required_metrics: list(z.string().max(40)).optional(),
});
export type ProductFilters = z.infer<typeof ProductFilters>;

interface FilterContext {
  readonly currency: string;
  readonly agentUrl: string;
  readonly nowMs: number;
}

type Filter = (product: Product, filters: ProductFilters, context: FilterContext) => boolean;

/** Whether a product passes a filter, by its name. */
const FILTERS = {
  delivery_type: ({ delivery }, { delivery_type: type }) => delivery.toLowerCase() === type,
  // No product is sold exclusively.
  exclusivity: (_product, { exclusivity }) => exclusivity === 'none',
  is_fixed_price: ({ priceOptions }, { is_fixed_price: isFixed }) =>
    priceOptions.some(({ price }) => (price !== null) === isFixed),
  pricing_currencies: (_product, { pricing_currencies: currencies = [] }, { currency }) =>
    currencies.includes(currency),
  format_ids: (product, { format_ids: ids = [] }, { agentUrl }) => {
    const own = formatIdsOf(product, agentUrl);
    return ids.some((one) => isOwnFormat(one, agentUrl) && own.some(({ id }) => id === one.id));
  },
  // Every format of this seller is of its own.
  standard_formats_only: (_product, { standard_formats_only: only }) => only !== true,
  start_date: ({ leadTimeHours }, { start_date: day = '' }, { nowMs }) =>
    Date.parse(day) + DAY_MS > nowMs + leadTimeHours * HOUR_MS,
  end_date: ({ minimumDays, maximumDays }, { start_date: start, end_date: end = '' }) => {
    if (start === undefined) return true;
    const days = (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;
    return days >= (minimumDays ?? 1) && days <= (maximumDays ?? Infinity);
  },
  budget_range: ({ minimumSpend, priceOptions }, { budget_range: range }, { currency }) =>
    range?.currency === currency &&
    priceOptions.some((one) => {
      const least = Math.max(numberOf(one.minimumSpend ?? '0'), numberOf(minimumSpend ?? '0'));
      return least <= (range.max ?? Infinity);
    }),
  countries: ({ targeting }, { countries = [] }) => {
    const sold = requiredValues(targeting, 'COUNTRY');
    return sold === null || countries.some((one) => sold.includes(one));
  },
  channels: (product, { channels = [] }) => channelsOf(product).some((one) => channels.includes(one)),
  required_metrics: (_product, { required_metrics: metrics = [] }) => metrics.every((one) => METRICS.includes(one)),
} satisfies Readonly<Record<keyof typeof ProductFilters.shape, Filter>>;

/** What filters leave of products, and how many each of them alone excludes. */
export interface Filtered {
  readonly products: readonly Product[];
  readonly excludedBy: Readonly<Record<string, { readonly count: number }>>;
}

/**
 * Applies filters. Of a product that stays, price options that a filter excludes are left out.
 *
 * @throws AdcpError `UNSUPPORTED_FEATURE` for a filter that this seller does not know: leaving it out would return what was not asked for
 */
export function filterProducts(
  products: readonly Product[],
  filters: ProductFilters | undefined,
  context: FilterContext,
): Filtered {
  const names = Object.keys(filters ?? {}).filter((name) => name !== 'ext');
  const unknown = names.find((name) => !Object.hasOwn(FILTERS, name));
  if (unknown !== undefined)
    throw new AdcpError('UNSUPPORTED_FEATURE', `This seller cannot filter by ${unknown.slice(0, 60)}.`, {
      field: `filters.${unknown.slice(0, 60)}`,
      details: { accepted_values: Object.keys(FILTERS) },
    });
  if (filters === undefined) return { products, excludedBy: {} };
  const passes = (name: string) => (product: Product) =>
    FILTERS[name as keyof typeof FILTERS](product, filters, context);
  const excluded = names.map((name) => [name, { count: products.filter((one) => !passes(name)(one)).length }] as const);
  const isFixed = filters.is_fixed_price;
  return {
    products: products
      .filter((product) => names.every((name) => passes(name)(product)))
      .map((product) => ({
        ...product,
        priceOptions: product.priceOptions.filter(({ price }) => isFixed === undefined || (price !== null) === isFixed),
      })),
    excludedBy: Object.fromEntries(excluded.filter(([, { count }]) => count > 0)),
  };
}
