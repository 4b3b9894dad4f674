import type { Forecast } from './delivery-insight.ts';

/** `OPEN`: its flight has not ended. `SKIPPED`: no forecast could be made. `SCORED`, `NOT_SCORED`: its flight has ended, or it counts no more. */
export const FORECAST_RECORD_STATES = ['OPEN', 'SKIPPED', 'SCORED', 'NOT_SCORED'] as const;
export type ForecastRecordState = (typeof FORECAST_RECORD_STATES)[number];

/** Why a forecast was not made (the first two), or is not scored. */
export const FORECAST_RECORD_REASONS = ['SAMPLE_TOO_YOUNG', 'TOO_LARGE', 'PAUSED', 'ARCHIVED', 'CHANGED'] as const;
export type ForecastRecordReason = (typeof FORECAST_RECORD_REASONS)[number];

/** The version of the model of forecasts: it goes up when the same sample gives other figures. */
export const FORECAST_MODEL = 1;

/** Less of a sample does not know the course of a day: no forecast is recorded. */
export const SAMPLED_HOURS_MIN = 24;

/** Forecasts are kept for so many days after the end of their flights. */
export const FORECAST_RECORD_DAYS = 400;

/** What a line item was expected to deliver, in impressions, with an interval of 80 % (`likely`) and one of 95 % (`possible`). */
export interface ExpectedDelivery {
  readonly impressions: number;
  readonly likelyLow: number;
  readonly likelyHigh: number;
  readonly possibleLow: number;
  readonly possibleHigh: number;
}

/** What a forecast, which is made of slots, expects in impressions. */
export function expectedDelivery(made: Forecast): ExpectedDelivery {
  const shown = (slots: number): number => Math.round(slots * made.shownShare);
  return {
    impressions: made.impressions,
    likelyLow: shown(made.likelyLow),
    likelyHigh: shown(made.likelyHigh),
    possibleLow: shown(made.possibleLow),
    possibleHigh: shown(made.possibleHigh),
  };
}

/** How far a forecast was from the delivery. */
export interface ForecastScore {
  /** Forecast by delivered, less 1: 0.1 is a tenth too high. Nothing delivered counts as one impression. */
  readonly error: number;
  readonly isInsideLikely: boolean;
  readonly isInsidePossible: boolean;
}

/** Compares a forecast with what was delivered in the forecast time. Bounds belong to their interval. */
export function scoreForecast(expected: ExpectedDelivery, delivered: number): ForecastScore {
  const { impressions, likelyLow, likelyHigh, possibleLow, possibleHigh } = expected;
  const isInsideLikely = delivered >= likelyLow && delivered <= likelyHigh;
  return {
    error: impressions === delivered ? 0 : impressions / Math.max(1, delivered) - 1,
    isInsideLikely,
    // Rounding may put a bound of the narrow interval outside of the wide one.
    isInsidePossible: isInsideLikely || (delivered >= possibleLow && delivered <= possibleHigh),
  };
}
