import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

/** Impressions that a line item was expected to get, with an interval of 80 % and one of 95 %; null where no forecast was made. */
interface ExpectedImpressions {
  readonly impressions: number | null;
  readonly likelyLow: number | null;
  readonly likelyHigh: number | null;
  readonly possibleLow: number | null;
  readonly possibleHigh: number | null;
}

/** The latest stored forecast of a line item. */
export interface ForecastRecord extends ExpectedImpressions {
  readonly state: 'OPEN' | 'SKIPPED' | 'SCORED' | 'NOT_SCORED';
  readonly reason: 'SAMPLE_TOO_YOUNG' | 'TOO_LARGE' | 'PAUSED' | 'ARCHIVED' | 'CHANGED' | null;
  /** ISO 8601, as the end of the flight. */
  readonly madeAt: string;
  readonly endsAt: string;
  /** Null until a day after the end. */
  readonly score: {
    readonly delivered: number;
    readonly isInsideLikely: boolean;
    readonly isInsidePossible: boolean;
  } | null;
}

const RECORD = `query DeskForecast($id: ID!) { lineItem(id: $id) { forecastRecord {
  state reason madeAt endsAt impressions likelyLow likelyHigh possibleLow possibleHigh
  score { delivered isInsideLikely isInsidePossible } } } }`;

/** Reads the forecast of a line item; null before there is one. */
export async function loadForecastRecord(
  scope: Scope,
  id: string,
  signal: AbortSignal,
): Promise<ForecastRecord | null> {
  type Body = { lineItem: { forecastRecord: ForecastRecord | null } | null };
  return (await askGraphql<Body>(scope, RECORD, { id }, signal)).lineItem?.forecastRecord ?? null;
}

/** How good the forecasts of a network were. Percentages are null without a scored flight. */
export interface ForecastAccuracy {
  readonly scored: number;
  readonly notScored: number;
  readonly insideLikelyPercent: number | null;
  readonly insidePossiblePercent: number | null;
  readonly medianErrorPercent: number | null;
  /** Above 0: the forecasts were too high. */
  readonly biasPercent: number | null;
}

const ACCURACY = `query ForecastAccuracy($from: DateTime!, $to: DateTime!) { forecastAccuracy(from: $from, to: $to) {
  scored notScored insideLikelyPercent insidePossiblePercent medianErrorPercent biasPercent } }`;

/** Reads how good the forecasts of flights were that ended between two instants, at most 400 days apart. */
export async function loadForecastAccuracy(
  scope: Scope,
  span: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<ForecastAccuracy> {
  return (await askGraphql<{ forecastAccuracy: ForecastAccuracy }>(scope, ACCURACY, span, signal)).forecastAccuracy;
}
