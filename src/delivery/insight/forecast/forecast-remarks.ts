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
  /** Null: not known better than from the sample. */
  readonly volume: VolumeForecast | null;
}

/** What a person should know about the numbers of a forecast. */
export function listRemarks(
  { sample, draft, nowMs }: { sample: TrafficSample | null; draft: ForecastDraft; nowMs: number },
  { isThinned, matched, matchedInSample, possible, margin, volume }: Remarked,
): string[] {
  const remarks: string[] = [];
  if (sample === null) return ['No requests were sampled yet: come back in a few minutes.'];
  const begun = draft.startsAtMs < nowMs ? ['Only the part of the flight that is to come is counted.'] : [];
  if (sample.entries.length < ENTRIES_MIN)
    return [`There is not enough traffic yet: ${sample.entries.length} requests were sampled.`, ...begun];
  if (isThinned)
    remarks.push(
      'The server is busy: only some of the sampled users were replayed, so the interval is wider than usual.',
    );
  const spanMs = sample.untilMs - sample.fromMs;
  if (spanMs < 6.9 * DAY_MS)
    remarks.push(
      `The sample covers ${Math.max(1, Math.round(spanMs / HOUR_MS))} hours: other hours of the week are taken from the traffic curve.`,
    );
  if (matched === 0) remarks.push('None of the sampled requests is meant for it.');
  else if (margin > WIDE_SHARE * possible)
    remarks.push(
      `The sample is small for this: ${matchedInSample} of the replayed slots are meant for it, so ${
        possible === 0 ? 'nothing certain can be said' : `expect ±${Math.round((100 * margin) / possible)} %`
      }.`,
    );
  if (volume !== null && volume.high - volume.low > 2 * WIDE_SHARE * volume.expected)
    remarks.push(
      `The traffic of the flight is expected at ${percent(volume.expected)} of that of the sample, and can be ${percent(volume.low)} to ${percent(volume.high)} of it.`,
    );
  return [...remarks, ...begun];
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
