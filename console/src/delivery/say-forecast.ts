import type { ForecastRecord } from '../api/bookings/forecast-record.ts';
import { formatCount, formatDay } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';

/** When and where a sentence is read. */
interface SaidAt {
  readonly timezone: string | undefined;
  readonly nowMs: number;
}

/** What was forecast of a line item, and how it came out, a sentence each. */
export function sayForecast(record: ForecastRecord, { timezone, nowMs }: SaidAt): string[] {
  const { impressions, likelyLow, likelyHigh, reason } = record;
  if (impressions === null || likelyLow === null || likelyHigh === null)
    return reason === null ? [] : [say(`forecast_record.${reason}`)];
  const made = say('forecast_record.made', {
    day: formatDay(record.madeAt, timezone, nowMs),
    impressions: formatCount(impressions),
    count: impressions,
    low: formatCount(likelyLow),
    high: formatCount(likelyHigh),
  });
  if (record.score !== null) return [made, sayScore(record, record.score)];
  if (reason !== null) return [made, say(`forecast_record.${reason}`)];
  return [made, say('forecast_record.open', { day: formatDay(record.endsAt, timezone, nowMs) })];
}

function sayScore(
  { possibleLow, possibleHigh }: ForecastRecord,
  { delivered, isInsideLikely, isInsidePossible }: NonNullable<ForecastRecord['score']>,
): string {
  if (isInsideLikely) return say('forecast_record.inside', { delivered: formatCount(delivered) });
  const where = isInsidePossible ? 'wide' : delivered < (possibleLow ?? 0) ? 'below' : 'above';
  return say(`forecast_record.${where}`, {
    delivered: formatCount(delivered),
    low: formatCount(possibleLow ?? 0),
    high: formatCount(possibleHigh ?? 0),
  });
}
