import { ApiRefusal, runGraphql } from '../api/call-api.ts';
import type { SellerContext } from '../api/seller-context.ts';
import type { Portfolio, Product } from './products.ts';

const DAY_MS = 86_400_000;

export const FORECAST = `query Forecast($input: ProductForecastInput!) {
  productForecast(input: $input) { possible possibleLow possibleHigh }
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
  const [option] = product.priceOptions;
  if (endsAt <= startsAt || option === undefined) return null;
  const input = {
    productId: product.id,
    priceOptionId: option.id,
    ...(option.price === null ? { bid: option.floor ?? '0' } : {}),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  };
  try {
    const { productForecast: forecast } = await runGraphql<{ productForecast: Forecast }>(call, {
      query: FORECAST,
      variables: { input },
    });
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
