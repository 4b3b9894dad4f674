import { DELIVERY_TEXT_FIELDS, type DeliveryText } from './delivery-text.ts';
import { askGraphql } from '../transport/graphql.ts';
import { type FieldProblem, translateFault } from '../transport/problem.ts';
import type { Scope } from '../transport/scope.ts';

/** A line item to book, and the campaign that it belongs to: one that exists, or one that is made with it. */
export interface Booking {
  readonly lineItem: Readonly<Record<string, unknown>>;
  readonly campaign: { readonly id: string } | { readonly advertiserId: string; readonly name: string };
}

/** What the server says of a booking. `id`: of the line item; null when it was only validated. */
export interface Booked {
  readonly id: string | null;
  readonly warnings: readonly FieldProblem[];
}

const CREATE = `mutation BookLineItem($input: CreateLineItemInput!, $validateOnly: Boolean) {
  done: createLineItem(input: $input, validateOnly: $validateOnly) { lineItem { id } warnings { path code message } } }`;
const SAVE = `mutation BookCampaign($input: SaveCampaignInput!, $validateOnly: Boolean) {
  done: saveCampaign(input: $input, validateOnly: $validateOnly) {
    objects { kind id } warnings { path code message } } }`;

/** Books a line item; a new campaign is made in the same transaction. Or only validates that. */
export async function book(
  scope: Scope,
  { lineItem, campaign }: Booking,
  options: { readonly validateOnly: boolean; readonly signal?: AbortSignal },
): Promise<Booked> {
  const { validateOnly, signal } = options;
  if ('id' in campaign) {
    type Body = { done: { lineItem: { id: string } | null; warnings: readonly FieldProblem[] } };
    const input = { ...lineItem, campaignId: campaign.id };
    const { done } = await askGraphql<Body>(scope, CREATE, { input, validateOnly }, signal);
    return { id: done.lineItem?.id ?? null, warnings: done.warnings.map(translateFault) };
  }
  type Body = { done: { objects: readonly { kind: string; id: string | null }[]; warnings: readonly FieldProblem[] } };
  const input = { ...campaign, status: 'ACTIVE', lineItems: [lineItem] };
  const { done } = await askGraphql<Body>(scope, SAVE, { input, validateOnly }, signal);
  return {
    id: done.objects.find(({ kind }) => kind === 'LineItem')?.id ?? null,
    warnings: done.warnings.map(translateFault),
  };
}

export type ForecastPrecision = 'ROUGH' | 'FULL';

/** What a draft could get over the flight, in slots of responses and in impressions, which are fewer. */
export interface BookingForecast {
  /** `ROUGH`: from a part of the sample, until the one from all of it is ready. */
  readonly precision: ForecastPrecision;
  readonly opportunities: number;
  readonly matched: number;
  readonly available: number;
  readonly possible: number;
  readonly impressions: number;
  /** A 95 % interval of the impressions, and an 80 % one. */
  readonly impressionsLow: number;
  readonly impressionsHigh: number;
  readonly likelyLow: number;
  readonly likelyHigh: number;
  /** What it earns, and what all others earn less: decimals in the network's currency. */
  readonly revenue: string;
  readonly displacedRevenue: string;
  /** The part of that which header bidders would have paid. */
  readonly displacedHeaderBidRevenue: string;
  /** Who gets less, the largest loss first. */
  readonly displaced: readonly {
    readonly lineItemId: string;
    readonly name: string;
    readonly impressions: number;
    readonly goalUnits: number | null;
    readonly revenue: string;
  }[];
  readonly sampleSize: number;
  readonly sampledHours: number;
  readonly notes: readonly string[];
  /** The notes as data, a text for each. */
  readonly remarks: readonly DeliveryText[];
  readonly contending: readonly {
    readonly lineItemId: string;
    readonly name: string;
    readonly opportunities: number;
  }[];
}

const FORECAST = `query BookingForecast($input: ForecastInput!, $precision: ForecastPrecision!) {
  forecast(input: $input, precision: $precision) { precision
  opportunities matched available possible possibleLow possibleHigh likelyLow likelyHigh impressions sampleSize sampledHours notes remarks ${DELIVERY_TEXT_FIELDS}
  revenue displacedRevenue displacedHeaderBidRevenue displaced { lineItemId name impressions goalUnits revenue }
  contending { lineItemId name opportunities } } }`;

/** Forecasts a draft. @param asked `ROUGH` where a person waits: the forecast says whether there is a better one */
export async function loadForecast(
  scope: Scope,
  asked: { readonly input: object; readonly precision: ForecastPrecision },
  signal: AbortSignal,
): Promise<BookingForecast> {
  type Body = { forecast: BookingForecast & { readonly possibleLow: number; readonly possibleHigh: number } };
  const { forecast } = await askGraphql<Body>(scope, FORECAST, { ...asked }, signal);
  const { possible, possibleLow, possibleHigh, likelyLow, likelyHigh, impressions } = forecast;
  const shown = possible === 0 ? 1 : impressions / possible;
  return {
    ...forecast,
    impressionsLow: Math.round(possibleLow * shown),
    impressionsHigh: Math.round(possibleHigh * shown),
    likelyLow: Math.round(likelyLow * shown),
    likelyHigh: Math.round(likelyHigh * shown),
  };
}
