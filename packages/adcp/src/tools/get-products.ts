import { z } from 'zod';
import type { Payload } from '../protocol/envelope.ts';
import { pageOf } from '../protocol/pages.ts';
import { AccountRef, BrandRef, Id, LIST_MAX, PageRequest, RequestBase, Text } from '../protocol/parts.ts';
import { fieldError } from '../protocol/read-request.ts';
import { resolveAccount } from '../selling/accounts.ts';
import { forecastProduct } from '../selling/forecasts.ts';
import { matchBrief, type Match } from '../selling/match-brief.ts';
import { type OptionGuidance, readGuidance } from '../selling/price-guidance.ts';
import { filterProducts, ProductFilters } from '../selling/product-filters.ts';
import { type Portfolio, type Product, readPortfolio, readProducts } from '../selling/products.ts';
import { domainsOf, renderProduct } from '../selling/render-product.ts';
import type { SellerContext } from '../api/seller-context.ts';
import { sellerTool } from './seller-tool.ts';

/** Most products of a page that are forecast: each forecast replays days of traffic. */
const FORECASTS_MAX = 5;

const Refinement = z.union([
  z.strictObject({ scope: z.literal('request'), ask: Text.min(1) }),
  z.strictObject({
    scope: z.literal('product'),
    product_id: Id,
    action: z.enum(['include', 'omit', 'more_like_this']).optional(),
    ask: Text.min(1).optional(),
  }),
  z.strictObject({
    scope: z.literal('proposal'),
    proposal_id: Id,
    action: z.enum(['include', 'omit', 'finalize']).optional(),
    ask: Text.min(1).optional(),
  }),
]);
type Refinement = z.infer<typeof Refinement>;

const Request = z.looseObject({
  ...RequestBase,
  // Buyers of releases before 3.1 leave it out.
  buying_mode: z.enum(['brief', 'wholesale', 'refine']).optional(),
  brief: Text.optional(),
  refine: z.array(Refinement).min(1).max(LIST_MAX).optional(),
  brand: BrandRef.optional(),
  account: AccountRef.optional(),
  filters: ProductFilters.optional(),
  preferred_delivery_types: z
    .array(z.enum(['guaranteed', 'non_guaranteed']))
    .min(1)
    .max(2)
    .optional(),
  property_list: z.unknown().optional(),
  catalog: z.unknown().optional(),
  fields: z.array(z.string().max(60)).min(1).max(LIST_MAX).optional(),
  pagination: PageRequest.optional(),
});
type Request = z.infer<typeof Request>;

/** Products that fit a brief and filters, with prices and, for a flight, a forecast. */
export const getProducts = sellerTool({
  name: 'get_products',
  title: 'Find products to buy',
  description:
    'Products that fit a brief in words and filters, with prices, formats and sites. With start_date and end_date, each has a forecast with its interval.',
  input: Request,
  run: async (context, request) => {
    checkMode(request);
    const account = request.account === undefined ? null : await resolveAccount(context, request.account);
    const [offered, portfolio] = await Promise.all([
      readProducts(context.call, account?.id ?? null),
      readPortfolio(context.call),
    ]);
    const known = offered.filter((one) => domainsOf(one, portfolio).length > 0);
    const { currency } = portfolio;
    const { agentUrl } = context;
    const filtered = filterProducts(known, request.filters, { currency, agentUrl, nowMs: context.nowMs() });
    const { matches, applied } = choose(filtered.products, portfolio, request);
    const { items, pagination } = pageOf(prefer(matches, request), request.pagination);
    const guidance = await readGuidance(
      context.call,
      items.map(({ product }) => product),
    );
    const products = await Promise.all(
      items.map((match, index) =>
        describe(context, { match, portfolio, request, guidance, isForecast: index < FORECASTS_MAX }),
      ),
    );
    return {
      products,
      // Offers and prices depend on the account and its key.
      cache_scope: 'account',
      pagination,
      ...(applied === null ? {} : { refinement_applied: applied }),
      ...(request.property_list === undefined ? {} : { property_list_applied: false }),
      ...(request.catalog === undefined ? {} : { catalog_applied: false }),
      ...(request.filters === undefined
        ? {}
        : {
            filter_diagnostics: {
              semantics: 'any',
              total_candidates: known.length,
              excluded_by: filtered.excludedBy,
            },
          }),
    };
  },
});

function checkMode({ buying_mode: mode, brief, refine }: Request): void {
  if (mode === 'wholesale' && brief !== undefined)
    throw fieldError(['brief'], 'In wholesale mode there is no brief; leave it out.');
  if (mode === 'refine' && refine === undefined) throw fieldError(['refine'], 'Say what to refine.');
  if (mode !== 'refine' && refine !== undefined) throw fieldError(['refine'], 'Refinements need buying_mode "refine".');
}

interface Choice {
  readonly matches: readonly Match[];
  readonly applied: readonly object[] | null;
}

/** The products that fit the brief, the best first; all of them where none does, so that the agent sees what there is. */
function choose(products: readonly Product[], portfolio: Portfolio, { brief = '', refine }: Request): Choice {
  if (refine !== undefined) return refined(products, portfolio, refine);
  const matches = matchBrief(products, portfolio, brief);
  const fitting = matches.filter(({ score }) => score > 0);
  return { matches: fitting.length > 0 ? fitting : matches, applied: null };
}

function refined(products: readonly Product[], portfolio: Portfolio, refine: readonly Refinement[]): Choice {
  const omitted = new Set(refine.flatMap((one) => (isProduct(one) && one.action === 'omit' ? [one.product_id] : [])));
  const named = refine.flatMap((one) => (isProduct(one) && one.action !== 'omit' ? [one] : []));
  const likened = named.flatMap(({ product_id: id, action }) => {
    const product = products.find((one) => one.id === id);
    return action === 'more_like_this' && product !== undefined ? [`${product.name} ${product.description}`] : [];
  });
  const asks = refine.flatMap(({ ask }) => ask ?? []);
  const included = new Set(named.map(({ product_id: id }) => id));
  const words = [...asks, ...likened].join(' ');
  const matches = matchBrief(products, portfolio, words).filter(({ product, score }) => {
    if (omitted.has(product.id)) return false;
    return included.size === 0 || included.has(product.id) || (words !== '' && likened.length > 0 && score > 0);
  });
  return { matches, applied: refine.map((one) => outcomeOf(one, products)) };
}

function isProduct(one: Refinement): one is Refinement & { scope: 'product' } {
  return one.scope === 'product';
}

function outcomeOf(one: Refinement, products: readonly Product[]): object {
  switch (one.scope) {
    case 'request':
      return { scope: 'request', status: 'partial', notes: 'Products are ordered by the words of the request.' };
    case 'product': {
      const isKnown = products.some(({ id }) => id === one.product_id);
      const base = { scope: 'product', product_id: one.product_id };
      if (!isKnown) return { ...base, status: 'unable', notes: 'No such product is offered.' };
      return one.ask === undefined
        ? { ...base, status: 'applied' }
        : { ...base, status: 'partial', notes: 'Terms of products do not change by a request.' };
    }
    case 'proposal':
      return {
        scope: 'proposal',
        proposal_id: one.proposal_id,
        status: 'unable',
        notes: 'This seller makes no proposals; buy products directly.',
      };
  }
}

/** Products of the preferred kind of delivery come first, each kind in the order that it had. */
function prefer(matches: readonly Match[], { preferred_delivery_types: types }: Request): Match[] {
  if (types === undefined) return [...matches];
  const rank = ({ product }: Match) => {
    const at = types.findIndex((type) => type === product.delivery.toLowerCase());
    return at === -1 ? types.length : at;
  };
  return matches.toSorted((a, b) => rank(a) - rank(b));
}

interface Described {
  readonly match: Match;
  readonly portfolio: Portfolio;
  readonly request: Request;
  readonly guidance: ReadonlyMap<string, readonly OptionGuidance[]>;
  readonly isForecast: boolean;
}

/** Fields of a product that the protocol always wants. */
const ALWAYS = new Set([
  'product_id',
  'name',
  'description',
  'publisher_properties',
  'format_ids',
  'delivery_type',
  'pricing_options',
  'reporting_capabilities',
]);

async function describe(
  context: SellerContext,
  { match, portfolio, request, guidance, isForecast }: Described,
): Promise<Payload> {
  const { product, words } = match;
  const { start_date: start, end_date: end } = request.filters ?? {};
  const forecast =
    isForecast && start !== undefined && end !== undefined
      ? await forecastProduct(context, { product, portfolio, start, end })
      : null;
  const whole = {
    ...renderProduct(product, { portfolio, agentUrl: context.agentUrl, guidance: guidance.get(product.id) ?? [] }),
    ...(forecast === null ? {} : { forecast }),
    ...(words.length === 0
      ? {}
      : { brief_relevance: `It fits these words of the brief: ${words.slice(0, 20).join(', ')}.` }),
  };
  const { fields } = request;
  if (fields === undefined) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => ALWAYS.has(name) || fields.includes(name)));
}
