import { ApiRefusal, runGraphql } from '../api/call-api.ts';
import type { SellerContext } from '../api/seller-context.ts';
import type { Portfolio, Product, TargetingNode } from './products.ts';

const DAY_MS = 86_400_000;
/** Media types of formats. */
const MEDIA_TYPES = { IMAGE: 'BANNER', HTML: 'BANNER', NATIVE: 'NATIVE', VIDEO: 'VIDEO', AUDIO: 'AUDIO' } as const;

export const FORECAST = `query Forecast($input: ForecastInput!) {
  forecast(input: $input) { possible possibleLow possibleHigh available matched }
}`;

interface Forecast {
  readonly possible: number | string;
  readonly possibleLow: number | string;
  readonly possibleHigh: number | string;
}

interface Asked {
  readonly product: Product;
  readonly portfolio: Portfolio;
  /** First and last day. */
  readonly start: string;
  readonly end: string;
}

/**
 * What a product could deliver in a flight, by the forecast of the ad server: the interval that holds the result with 95 %. null where the engine
 * cannot say: the flight is over or too long, or there is no sample of traffic yet.
 */
export async function forecastProduct({ call, nowMs }: SellerContext, asked: Asked): Promise<object | null> {
  const { product, portfolio, start, end } = asked;
  const startsAt = new Date(Math.max(Date.parse(start), nowMs()));
  const endsAt = new Date(Date.parse(end) + DAY_MS);
  if (endsAt <= startsAt) return null;
  const [option] = product.priceOptions;
  const input = {
    type: product.delivery === 'GUARANTEED' ? 'STANDARD' : 'PRICE',
    price: option?.price ?? option?.floor ?? '0',
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    mediaTypes: [...new Set(product.formats.map(({ format }) => MEDIA_TYPES[format]))],
    sizes: product.formats.flatMap(({ sizes }) => sizes.map(({ width, height }) => ({ width, height }))),
    ...(product.targeting === null ? {} : { targeting: toInput(product.targeting) }),
  };
  try {
    const { forecast } = await runGraphql<{ forecast: Forecast | null }>(call, {
      query: FORECAST,
      variables: { input },
    });
    if (forecast === null) return null;
    const [low, mid, high] = [forecast.possibleLow, forecast.possible, forecast.possibleHigh].map(Number);
    return {
      forecast_range_unit: 'availability',
      method: 'modeled',
      currency: portfolio.currency,
      points: [{ label: `${start} to ${end}`, metrics: { impressions: { low, mid, high } } }],
      generated_at: new Date(nowMs()).toISOString(),
    };
  } catch (error) {
    if (error instanceof ApiRefusal) return null;
    throw error;
  }
}

/** A targeting as inputs have it: without the parts that are null. */
export function toInput({ all, any, not, test }: TargetingNode): object {
  if (all) return { all: all.map(toInput) };
  if (any) return { any: any.map(toInput) };
  if (not) return { not: toInput(not) };
  return { test };
}
