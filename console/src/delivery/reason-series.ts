import type { HourOfReasons } from '../api/bookings/diagnosis.ts';

/** Reasons beyond the most frequent ones, as one. */
export const OTHERS = '';
/** As many colours as differ well. */
const REASONS_MAX = 6;

/** Outcomes hour by hour, the most frequent first, `won` before all. */
export interface ReasonSeries {
  /** Local hours, `YYYY-MM-DDTHH:00:00`. */
  readonly hours: readonly string[];
  readonly reasons: readonly { readonly reason: string; readonly counts: readonly number[] }[];
}

/** The counts of each reason in each hour; rare reasons are one. */
export function countByReason(byHour: readonly HourOfReasons[], timezone: string): ReasonSeries {
  const sums = new Map<string, number>();
  for (const { numbers } of byHour)
    for (const { reason, opportunities } of numbers) sums.set(reason, (sums.get(reason) ?? 0) + opportunities);
  const losses = [...sums.keys()].filter((reason) => reason !== 'won');
  const named = losses
    .toSorted((one, other) => (sums.get(other) ?? 0) - (sums.get(one) ?? 0))
    .slice(0, REASONS_MAX - 1);
  const shown = [...(sums.has('won') ? ['won'] : []), ...named, ...(losses.length > named.length ? [OTHERS] : [])];
  const groupOf = (reason: string): string => (shown.includes(reason) ? reason : OTHERS);
  return {
    hours: byHour.map(({ hour }) => localHour(hour, timezone)),
    reasons: shown.map((reason) => ({
      reason,
      counts: byHour.map(({ numbers }) =>
        numbers.reduce((sum, one) => sum + (groupOf(one.reason) === reason ? one.opportunities : 0), 0),
      ),
    })),
  };
}

function localHour(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(instant));
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:00:00`;
}
