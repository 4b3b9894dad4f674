import { countValue, percentValue, textOf, type DeliveryText } from '../../../domain/booking/delivery-text.ts';
import type { ForecastDraft } from '../../../domain/booking/delivery-insight.ts';
import type { TrafficSample } from '../../traffic/parse-sample.ts';
import type { VolumeForecast } from './forecast-volume.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WIDE_SHARE = 0.1;
/** With fewer sampled requests, a forecast says that there is not enough traffic, and not how exact it is. */
const ENTRIES_MIN = 1_000;

/** The result of a replay that remarks are about. */
export interface Remarked {
  /** Whether fewer users were replayed than usual, to be ready in time. */
  readonly isThinned: boolean;
  readonly matched: number;
  /** Replayed slots that are meant for the draft. */
  readonly matchedInSample: number;
  readonly possible: number;
  /** Half the width of the interval of `possible`. */
  readonly margin: number;
  /** The same because parts of the traffic have busy days of their own. */
  readonly partsMargin: number;
  /** Null: not known better than from the sample. */
  readonly volume: VolumeForecast | null;
}

/** What a person should know about the numbers of a forecast. */
export function listRemarks(
  { sample, draft, nowMs }: { sample: TrafficSample | null; draft: ForecastDraft; nowMs: number },
  { isThinned, matched, matchedInSample, possible, margin, partsMargin, volume }: Remarked,
): DeliveryText[] {
  const remarks: DeliveryText[] = [];
  if (sample === null) return [textOf('forecast_no_sample')];
  const begun = draft.startsAtMs < nowMs ? [textOf('forecast_begun')] : [];
  if (sample.entries.length < ENTRIES_MIN)
    return [textOf('forecast_little_traffic', { requests: countValue(sample.entries.length) }), ...begun];
  if (isThinned) remarks.push(textOf('forecast_thinned'));
  const spanMs = sample.untilMs - sample.fromMs;
  if (spanMs < 6.9 * DAY_MS)
    remarks.push(textOf('forecast_short_sample', { hours: countValue(Math.max(1, spanMs / HOUR_MS)) }));
  const slots = countValue(matchedInSample);
  if (matched === 0) remarks.push(textOf('forecast_unmatched'));
  else if (margin > WIDE_SHARE * possible)
    remarks.push(
      possible === 0
        ? textOf('forecast_uncertain', { slots })
        : textOf('forecast_small_sample', { slots, percent: wholePercent(margin / possible) }),
    );
  if (volume !== null && volume.high - volume.low > 2 * WIDE_SHARE * volume.expected)
    remarks.push(
      textOf('forecast_volume', {
        expected: wholePercent(volume.expected),
        low: wholePercent(volume.low),
        high: wholePercent(volume.high),
      }),
    );
  if (partsMargin > WIDE_SHARE * possible && possible > 0)
    remarks.push(textOf('forecast_parts', { percent: wholePercent(partsMargin / possible) }));
  return [...remarks, ...begun];
}

const wholePercent = (share: number) => percentValue(Math.round(100 * share), 100);
