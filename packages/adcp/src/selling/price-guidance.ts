import { type CallApi, runGraphql } from '../api/call-api.ts';
import { AdcpError } from '../protocol/adcp-error.ts';
import type { Product } from './products.ts';

/** Most products of one document: each makes the core sum up its bookings. */
const PRODUCTS_MAX = 50;

export const GUIDANCE = `query Guidance($ids: [ID!]) {
  advertisingProducts(first: ${PRODUCTS_MAX}, filter: { ids: $ids }) {
    nodes { id: databaseId priceGuidance { priceOptionId p25 p50 p75 p90 } }
  }
}`;

/** Percentiles of the prices that bidders paid by a price option, as decimal text. */
export interface OptionGuidance {
  readonly priceOptionId: string;
  readonly p25: string;
  readonly p50: string;
  readonly p75: string;
  readonly p90: string;
}

interface Guided {
  readonly advertisingProducts: {
    readonly nodes: readonly { readonly id: string; readonly priceGuidance: readonly OptionGuidance[] }[];
  };
}

/** The prices that bidders paid, by product. Products are shown without them while reports do not respond. */
export async function readGuidance(
  call: CallApi,
  products: readonly Product[],
): Promise<ReadonlyMap<string, readonly OptionGuidance[]>> {
  const ids = products
    .filter(({ priceOptions }) => priceOptions.some(({ price }) => price === null))
    .map(({ id }) => id);
  const known = new Map<string, readonly OptionGuidance[]>();
  for (let at = 0; at < ids.length; at += PRODUCTS_MAX) {
    const variables = { ids: ids.slice(at, at + PRODUCTS_MAX) };
    try {
      const { advertisingProducts } = await runGraphql<Guided>(call, { query: GUIDANCE, variables });
      for (const { id, priceGuidance } of advertisingProducts.nodes) known.set(id, priceGuidance);
    } catch (error) {
      if (error instanceof AdcpError && error.code === 'SERVICE_UNAVAILABLE') return known;
      throw error;
    }
  }
  return known;
}
